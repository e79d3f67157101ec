// SPDX-License-Identifier: MIT
#include "views/threads/async_rows.h"

#include <QObject>

#include "models/rows/retained_column.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {

namespace {

using engine::AsyncState;
using engine::ListedChains;

enum AsyncGroup : std::size_t { Suspended, Queued, Running, Circle, Garbage };

AsyncGroup kindOf(const ListedChains& row) {
  if (!row.isReachable) return Garbage;
  switch (row.state) {
    case AsyncState::Queued:
      return Queued;
    case AsyncState::Running:
      return Running;
    case AsyncState::Circle:
      return Circle;
    case AsyncState::Suspended:
      break;
  }
  return Suspended;
}

std::vector<RowKind> asyncKinds() {
  return {
      {.name = QStringLiteral("Waiting"), .tip = QStringLiteral("At an await, for something that has not ended yet.")},
      {.name = QStringLiteral("Queued"),
       .tip = QStringLiteral("What they awaited has ended; they go on when it is their turn.")},
      {.name = QStringLiteral("Running"), .tip = QStringLiteral("On a thread.")},
      {.name = QStringLiteral("In a circle"), .tip = QStringLiteral("They wait for each other, for ever.")},
      {.name = QStringLiteral("Garbage"),
       .tip = QStringLiteral("Nobody can complete them: only garbage leads to them.")},
  };
}

}  // namespace

RowSchema<ListedChains> asyncSchema() {
  RowSchema<ListedChains> schema{.table = &engine::chainsTable()};
  schema.columns.push_back({.setup = {.field = "count", .letters = 9}});
  schema.columns.push_back({.setup = {.field = "innermost", .stretches = true},
                            .object = [](const ListedChains& row) { return row.objects.front(); }});
  schema.columns.push_back({.setup = {.field = "waitsFor", .letters = 34}});
  schema.columns.push_back({.setup = {.field = "outermost", .letters = 32}});
  schema.columns.push_back({.setup = {.field = "calls", .letters = 7}});
  schema.columns.push_back(retainedColumn<ListedChains>([](const ListedChains&) { return true; }));
  schema.columns.back().detail = [](const ListedChains& row) {
    if (!row.retainedBytes) return QStringLiteral("Retained sizes are not known yet.");
    const QString exact = exactBytesText(*row.retainedBytes);
    return row.isRetainedExact ? exact : QStringLiteral("At least %1").arg(exact);
  };
  schema.kinds = asyncKinds();
  schema.kindOf = [](const ListedChains& row) { return static_cast<std::size_t>(kindOf(row)); };
  schema.identity = [](const ListedChains& row) { return row.objects.front(); };
  return schema;
}

QString asyncDoingText(const engine::AsyncList& list, const engine::AsyncChain& chain) {
  const QString waitsFor = fromEngine(std::string(list.nameOf(chain.waitsFor)));
  const std::uint32_t thread = list.framesOf(chain).front().thread;
  switch (chain.state) {
    case AsyncState::Running:
      return thread == 0 ? QStringLiteral("runs") : QStringLiteral("runs on thread %1").arg(thread);
    case AsyncState::Queued:
      return QStringLiteral("goes on when it is its turn");
    case AsyncState::Circle:
      return QStringLiteral("waits for itself, through %1").arg(waitsFor);
    case AsyncState::Suspended:
      break;
  }
  return chain.milliseconds ? QStringLiteral("waits for %1 of %2 ms").arg(waitsFor, countText(*chain.milliseconds))
                            : QStringLiteral("waits for %1").arg(waitsFor);
}

}  // namespace heapscape::gui
