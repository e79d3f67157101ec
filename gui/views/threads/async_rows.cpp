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
      {.name = u"Waiting"_s, .tip = u"At an await, for something that has not ended yet."_s},
      {.name = u"Queued"_s, .tip = u"What they awaited has ended; they go on when it is their turn."_s},
      {.name = u"Running"_s, .tip = u"On a thread."_s},
      {.name = u"In a circle"_s, .tip = u"They wait for each other, for ever."_s},
      {.name = u"Garbage"_s, .tip = u"Nobody can complete them: only garbage leads to them."_s},
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
    if (!row.retainedBytes) return u"Retained sizes are not known yet."_s;
    const QString exact = exactBytesText(*row.retainedBytes);
    return row.isRetainedExact ? exact : u"At least %1"_s.arg(exact);
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
      return thread == 0 ? u"runs"_s : u"runs on thread %1"_s.arg(thread);
    case AsyncState::Queued:
      return u"goes on when it is its turn"_s;
    case AsyncState::Circle:
      return u"waits for itself, through %1"_s.arg(waitsFor);
    case AsyncState::Suspended:
      break;
  }
  return chain.milliseconds ? u"waits for %1 of %2 ms"_s.arg(waitsFor, countText(*chain.milliseconds))
                            : u"waits for %1"_s.arg(waitsFor);
}

}  // namespace heapscape::gui
