// SPDX-License-Identifier: MIT
#include <algorithm>

#include "review/described_rows.h"
#include "review/pages/report_pages.h"
#include "review/review_cells.h"
#include "session/objects/retained_query.h"
#include "session/references/paths_query.h"
#include "tables/retained_tables.h"

namespace heapscape::engine {
namespace {

constexpr PathOptions kFirstPath{.paths = 1, .steps = 2};
constexpr std::size_t kLongestExpression = 300;

std::string shortenedExpression(const std::string& text) {
  if (text.size() <= kLongestExpression) return text;
  return text.substr(0, kLongestExpression / 2) + " … " + text.substr(text.size() - kLongestExpression / 2);
}

/// Through which fields a root leads to the object; keys of dictionaries that are strings are contents.
Outcome<ReviewCell> whyAlive(const ReportInput& input, Address object) {
  HEAPSCAPE_TRY(const RootPathList list, pathsToRoots(input.snapshot, object, kFirstPath, nullptr, input.stop));
  if (list.paths.empty()) return ReviewCell();
  const RootPath& path = list.paths.front();
  return contentsCell(input.options.isRedacted, shortenedExpression(path.expression),
                      shortenedExpression(path.redactedExpression));
}

}  // namespace

Outcome<void> addRetainedPages(const ReportInput& input, ReviewPages& pages) {
  const Snapshot& snapshot = input.snapshot;
  HEAPSCAPE_CHECK(preparePaths(snapshot, input.progress, input.stop));
  const RetainedList list = largestRetained(snapshot, input.options.rows);
  std::vector<ListedRetained> rows = listRetained(snapshot, list);
  std::erase_if(rows, [](const ListedRetained& each) { return !each.row.isReachable || each.row.retainedBytes == 0; });
  ReviewTable table =
      describedRows(retainedTable().over(rows), {"object", "type", "bytes", "retained", "retainedCount"}, {});
  table.columns.push_back({"Alive through"});
  for (std::size_t i = 0; i < rows.size(); ++i) {
    HEAPSCAPE_TRY(ReviewCell why, whyAlive(input, rows[i].row.object));
    table.rows[i].push_back(std::move(why));
  }
  table.rowsLeftOut = list.totals.reachableObjects - std::min(list.totals.reachableObjects, table.rows.size());
  pages.push_back({.title = "Objects that retain most",
                   .remark = "Retained is exact: the object and all that would be freed with it. One row may be held "
                             "by another.",
                   .content = std::move(table)});
  return {};
}

}  // namespace heapscape::engine
