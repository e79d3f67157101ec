// SPDX-License-Identifier: MIT
#include "views/threads/async_rows.h"

#include <QObject>

#include "models/rows/retained_column.h"
#include "widgets/text/counted_text.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {

namespace {

using engine::AsyncState;

enum AsyncGroup : std::size_t { Suspended, Queued, Running, Circle, Garbage };

AsyncGroup kindOf(const AsyncRow& row) {
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
      {.name = QObject::tr("Waiting"), .tip = QObject::tr("At an await, for something that has not ended yet.")},
      {.name = QObject::tr("Queued"),
       .tip = QObject::tr("What they awaited has ended; they go on when it is their turn.")},
      {.name = QObject::tr("Running"), .tip = QObject::tr("On a thread.")},
      {.name = QObject::tr("In a circle"), .tip = QObject::tr("They wait for each other, for ever.")},
      {.name = QObject::tr("Garbage"), .tip = QObject::tr("Nobody can complete them: only garbage leads to them.")},
  };
}

void addMethodColumns(RowSchema<AsyncRow>& schema) {
  schema.columns.insert(
      schema.columns.end(),
      {
          {.setup = {.title = QObject::tr("Chains"),
                     .tip = QObject::tr("That are equal"),
                     .look = ColumnLook::Count,
                     .letters = 9},
           .number = [](const AsyncRow& row) { return row.chains; }},
          {.setup = {.title = QObject::tr("Waits in"),
                     .tip = QObject::tr("The innermost call"),
                     .look = ColumnLook::TypeName,
                     .stretches = true,
                     .isSearched = true},
           .words = [](const AsyncRow& row) { return fromEngine(row.innermost); },
           .link =
               [](const AsyncRow& row) {
                 return RowLink{row.object, {}};
               }},
          {.setup =
               {.title = QObject::tr("Waits for"), .look = ColumnLook::TypeName, .letters = 34, .isSearched = true},
           .words = [](const AsyncRow& row) { return fromEngine(row.waitsFor); }},
          {.setup = {.title = QObject::tr("Begun by"),
                     .tip = QObject::tr("The outermost call, for which nobody waits"),
                     .look = ColumnLook::TypeName,
                     .letters = 32,
                     .isSearched = true},
           .words = [](const AsyncRow& row) { return fromEngine(row.outermost); }},
      });
}

}  // namespace

std::vector<AsyncRow> asyncRows(const engine::AsyncList& list) {
  std::vector<AsyncRow> rows;
  rows.reserve(list.groups.size());
  for (std::uint32_t index = 0; index < list.groups.size(); ++index) {
    const engine::AsyncGroup& group = list.groups[index];
    const engine::AsyncChain& chain = list.firstOf(group);
    const auto frames = list.framesOf(chain);
    rows.push_back({.group = index,
                    .chains = group.chains.size(),
                    .calls = frames.size(),
                    .innermost = std::string(list.nameOf(frames.front().name)),
                    .outermost = std::string(list.nameOf(frames.back().name)),
                    .waitsFor = std::string(list.nameOf(chain.waitsFor)),
                    .state = chain.state,
                    .isReachable = chain.isReachable,
                    .object = frames.front().object,
                    .retainedBytes = group.retainedBytes,
                    .isRetainedExact = group.isRetainedExact});
  }
  return rows;
}

RowSchema<AsyncRow> asyncSchema() {
  RowSchema<AsyncRow> schema;
  addMethodColumns(schema);
  RowColumn<AsyncRow> retained =
      retainedColumn<AsyncRow>(QObject::tr("What would be freed with the objects of all calls of these chains"),
                               [](const AsyncRow&) { return true; });
  retained.detail = [](const AsyncRow& row) {
    if (!row.retainedBytes) return QObject::tr("Retained sizes are not known yet.");
    const QString exact = exactBytesText(*row.retainedBytes);
    return row.isRetainedExact ? exact : QObject::tr("At least %1").arg(exact);
  };
  schema.columns.push_back({.setup = {.title = QObject::tr("Calls"),
                                      .tip = QObject::tr("In one of these chains"),
                                      .look = ColumnLook::Count,
                                      .letters = 7},
                            .number = [](const AsyncRow& row) { return row.calls; }});
  schema.columns.push_back(std::move(retained));
  schema.kinds = asyncKinds();
  schema.kindOf = [](const AsyncRow& row) { return static_cast<std::size_t>(kindOf(row)); };
  schema.identity = [](const AsyncRow& row) { return row.object; };
  return schema;
}

QString asyncDoingText(const engine::AsyncList& list, const engine::AsyncChain& chain) {
  const QString waitsFor = fromEngine(std::string(list.nameOf(chain.waitsFor)));
  const std::uint32_t thread = list.framesOf(chain).front().thread;
  switch (chain.state) {
    case AsyncState::Running:
      return thread == 0 ? QObject::tr("runs") : QObject::tr("runs on thread %1").arg(thread);
    case AsyncState::Queued:
      return QObject::tr("goes on when it is its turn");
    case AsyncState::Circle:
      return QObject::tr("waits for itself, through %1").arg(waitsFor);
    case AsyncState::Suspended:
      break;
  }
  return chain.milliseconds ? QObject::tr("waits for %1 of %2 ms").arg(waitsFor, countText(*chain.milliseconds))
                            : QObject::tr("waits for %1").arg(waitsFor);
}

}  // namespace heapscape::gui
