// SPDX-License-Identifier: MIT
#include "insight/comparison/compare_snapshots.h"

#include <tbb/parallel_invoke.h>

#include <optional>
#include <utility>

#include "base/progress.h"
#include "insight/comparison/comparison_parts.h"

namespace heapscape::engine {
namespace {

// Where each part ends.
constexpr double kFiguresEnd = 0.05;
constexpr double kInsightsBeforeEnd = 0.5;
constexpr double kInsightsEnd = 0.95;

/// At the same time where there is memory for both: what one does on one core goes on beside the other's.
Outcome<std::pair<InsightList, InsightList>> findInsightsOfBoth(const Snapshot& before, const Snapshot& after,
                                                                const InsightOptions& options, ProgressSink* progress,
                                                                const std::stop_token& stop) {
  std::optional<Outcome<InsightList>> ofBefore, ofAfter;
  if (isMemoryForInsightsOf(before, after)) {
    StageProgress both(progress, "looking for insights", kFiguresEnd, kInsightsEnd);
    JointProgress joint(both, 0, 1);
    PartOfJoint partOfBefore(joint, 0.5), partOfAfter(joint, 0.5);
    tbb::parallel_invoke([&] { ofBefore = findInsights(before, options, &partOfBefore, stop); },
                         [&] { ofAfter = findInsights(after, options, &partOfAfter, stop); });
  } else {
    PartOfProgress partOfBefore(progress, kFiguresEnd, kInsightsBeforeEnd);
    PartOfProgress partOfAfter(progress, kInsightsBeforeEnd, kInsightsEnd);
    ofBefore = findInsights(before, options, &partOfBefore, stop);
    if (*ofBefore) ofAfter = findInsights(after, options, &partOfAfter, stop);
  }
  if (!*ofBefore) return tl::unexpected(std::move(ofBefore->error()));
  if (!*ofAfter) return tl::unexpected(std::move(ofAfter->error()));
  return std::pair(*std::move(*ofBefore), *std::move(*ofAfter));
}

Outcome<void> addInsights(Comparison& comparison, const Snapshot& before, const Snapshot& after, ProgressSink* progress,
                          std::stop_token stop) {
  const InsightOptions options;
  HEAPSCAPE_TRY(const auto lists, findInsightsOfBoth(before, after, options, progress, stop));
  const auto& [listBefore, listAfter] = lists;
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
