// SPDX-License-Identifier: MIT
#include "insight/comparison/compare_snapshots.h"

#include "base/part_of_progress.h"
#include "insight/comparison/comparison_parts.h"

namespace heapscape::engine {
namespace {

// Where each part ends.
constexpr double kFiguresEnd = 0.05;
constexpr double kInsightsBeforeEnd = 0.5;
constexpr double kInsightsEnd = 0.95;

Outcome<void> addInsights(Comparison& comparison, const Snapshot& before, const Snapshot& after, ProgressSink* progress,
                          std::stop_token stop) {
  const InsightOptions options;
  PartOfProgress ofBefore(progress, kFiguresEnd, kInsightsBeforeEnd);
  PartOfProgress ofAfter(progress, kInsightsBeforeEnd, kInsightsEnd);
  // One after the other: each takes all cores, and the memory that the other has given back.
  HEAPSCAPE_TRY(const InsightList listBefore, findInsights(before, options, &ofBefore, stop));
  HEAPSCAPE_TRY(const InsightList listAfter, findInsights(after, options, &ofAfter, stop));
  comparison.insights = compareInsights(listBefore, listAfter);
  comparison.insightThreshold = options.minimumBytes;
  comparison.wasteBytes = {listBefore.wasteBytes, listAfter.wasteBytes};
  comparison.leakBytes = {listBefore.leakBytes, listAfter.leakBytes};
  comparison.findings.append(listBefore.findings);
  comparison.findings.append(listAfter.findings);
  return {};
}

Outcome<void> checkStage(const Snapshot& snapshot) {
  if (snapshot.has(Stage::Retained) && !snapshot.typeRetained().empty()) return {};
  return tl::unexpected(
      Unfinished(Error{ErrorCode::NoHeap, "Dumps are compared once their retained sizes are known.", {}}));
}

}  // namespace

Outcome<Comparison> compareSnapshots(const Snapshot& before, const Snapshot& after, const ComparisonOptions& options,
                                     ProgressSink* progress, std::stop_token stop) {
  HEAPSCAPE_CHECK(checkStage(before));
  HEAPSCAPE_CHECK(checkStage(after));
  StageProgress figures(progress, "comparing figures", 0, kFiguresEnd);
  figures.report(0);
  Comparison comparison;
  comparison.before = before.summary();
  comparison.after = after.summary();
  comparison.types = compareTypes(before, after);
  comparison.findings = findComparisonGaps(before, after);
  comparison.objects = {before.totals().objects, after.totals().objects};
  comparison.bytes = {before.totals().bytes, after.totals().bytes};
  comparison.retainedBytes = {before.retainedTotals().reachableBytes, after.retainedTotals().reachableBytes};
  HEAPSCAPE_TRY(comparison.figures, compareFigures(before, after, comparison.findings, stop));
  if (options.withInsights) HEAPSCAPE_CHECK(addInsights(comparison, before, after, progress, stop));
  StageProgress layouts(progress, "comparing layouts", kInsightsEnd, 1);
  if (options.withLayouts) {
    HEAPSCAPE_TRY(comparison.layouts, compareTypeLayouts(before, after, comparison.types, layouts, stop));
  }
  layouts.report(1);
  return comparison;
}

}  // namespace heapscape::engine
