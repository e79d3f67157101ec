// SPDX-License-Identifier: MIT
#include <algorithm>

#include "review/pages/report_pages.h"
#include "review/review_cells.h"
#include "session/references/paths_query.h"
#include "session/references/retained_query.h"

namespace heapscape::engine {
namespace {

using Kind = ReviewCellKind;

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
  ReviewTable table{.columns = {{"Object", Kind::Address},
                                {"Type", Kind::TypeName},
                                {"Bytes", Kind::Bytes},
                                {"Retained", Kind::Bytes},
                                {"Objects", Kind::Count},
                                {"Alive through"}},
                    .rows = {}};
  for (const RetainedRow& row : list.objects) {
    if (!row.isReachable || row.retainedBytes == 0) continue;
    HEAPSCAPE_TRY(ReviewCell why, whyAlive(input, row.object));
    table.rows.push_back({addressCell(row.object),
                          {snapshot.typeName(row.type)},
                          bytesCell(row.bytes),
                          bytesCell(row.retainedBytes),
                          countCell(row.retainedCount),
                          std::move(why)});
  }
  table.rowsLeftOut = list.totals.reachableObjects - std::min(list.totals.reachableObjects, table.rows.size());
  pages.push_back({.title = "Objects that retain most",
                   .remark = "Retained is exact: the object and all that would be freed with it. One row may be held "
                             "by another.",
                   .content = std::move(table)});
  return {};
}

}  // namespace heapscape::engine
