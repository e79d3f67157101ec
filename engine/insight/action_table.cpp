// SPDX-License-Identifier: MIT
#include "insight/action_table.h"

#include "insight/action_text.h"
#include "insight/insight_tables.h"

namespace heapscape::engine {

std::vector<TitledAction> titledActions(const InsightList& list) {
  std::vector<TitledAction> rows;
  for (const InsightAction& action : list.plan.actions) {
    const Insight& first = list.insights[action.insights.front()];
    TitledAction row{.action = action,
                     .title = actionText(list, action),
                     .kind = first.kind,
                     .meaning = first.meaning,
                     .examples = examplesOf(first)};
    for (const std::uint32_t insight : action.insights) row.objects += list.insights[insight].objects;
    rows.push_back(std::move(row));
  }
  return rows;
}

const TableOf<TitledAction>& insightActionsTable() {
  using Row = TitledAction;
  static const TableOf<Row> table = TableOf<Row>{
      "actions",
      {insightKindColumn<Row>(&Row::kind), insightMeaningColumn<Row>(&Row::meaning),
       nameWithout<Row>({.name = "title", .title = "Fix first", .meaning = "What to do, in a line."}, &Row::title),
       column<Row>(
           {.name = "insights", .title = "Insights", .meaning = "How many it adds up.", .kind = ColumnKind::Count},
           [](const Row& r) { return r.action.insights.size(); }),
       column<Row>(
           {.name = "objects", .title = "Objects", .meaning = "Objects that it is about.", .kind = ColumnKind::Count},
           &Row::objects),
       column<Row>({.name = "bytes",
                    .title = "Wins back",
                    .meaning = "What it alone would win back.",
                    .kind = ColumnKind::Bytes},
                   [](const Row& r) { return r.action.bytes; }),
       column<Row>({.name = "addedBytes",
                    .title = "Adds",
                    .meaning = "Of these, what no action before it wins back already.",
                    .kind = ColumnKind::Bytes},
                   [](const Row& r) { return r.action.addedBytes; }),
       column<Row>({.name = "doubtfulBytes",
                    .title = "Doubtful",
                    .meaning = "Of what it adds, what other actions may win back as well.",
                    .kind = ColumnKind::Bytes,
                    .hidesZero = true},
                   [](const Row& r) { return r.action.doubtfulBytes; }),
       column<Row>({.name = "atLeast",
                    .title = "At least",
                    .meaning = "It may win back more: what only several of its leaks hold goes with all of them.",
                    .kind = ColumnKind::Flag},
                   [](const Row& r) { return r.action.isLeast; }),
       column<Row>({.name = "examples",
                    .title = "Examples",
                    .meaning = "Addresses of the costliest objects of its first insight.",
                    .kind = ColumnKind::Words},
                   &Row::examples)},
      {"bytes", "addedBytes", "doubtfulBytes", "objects",
       "title"}}.onOneLine();
  return table;
}

}  // namespace heapscape::engine
