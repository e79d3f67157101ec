// SPDX-License-Identifier: MIT
#include "insight/comparison/compare_snapshots.h"

#include <array>
#include <future>
#include <mutex>

#include "base/part_of_progress.h"
#include "insight/comparison/comparison_parts.h"

namespace heapscape::engine {
namespace {

// Where each part ends.
constexpr double kFiguresEnd = 0.05;
constexpr double kInsightsEnd = 0.95;

/// Two halves of the work at once as one progress.
class ProgressOfTwo {
 public:
  ProgressOfTwo(ProgressSink* whole, double from, double to) : m_whole(whole, from, to) {}
  ProgressSink* half(std::size_t number) { return &m_halves[number]; }

 private:
  struct Half : ProgressSink {
    explicit Half(ProgressOfTwo& owner) : owner(owner) {}
    void progressed(const Progress& progress) override {
      const std::scoped_lock lock(owner.m_mutex);
      fraction = progress.fraction;
      owner.m_whole.progressed({progress.activity, (owner.m_halves[0].fraction + owner.m_halves[1].fraction) / 2});
    }
    ProgressOfTwo& owner;
    double fraction = 0;
  };

  std::mutex m_mutex;
  PartOfProgress m_whole;
  std::array<Half, 2> m_halves{Half(*this), Half(*this)};
};

Outcome<void> addInsights(Comparison& comparison, const Snapshot& before, const Snapshot& after, ProgressSink* progress,
                          std::stop_token stop) {
  const InsightOptions options;
  ProgressOfTwo both(progress, kFiguresEnd, kInsightsEnd);
  // A thread of its own rather than a task, which could be taken up in the middle of the other.
  auto first = std::async(std::launch::async, [&] { return findInsights(before, options, both.half(0), stop); });
  auto foundAfter = findInsights(after, options, both.half(1), stop);
  auto foundBefore = first.get();
  HEAPSCAPE_TRY(const InsightList listBefore, std::move(foundBefore));
  HEAPSCAPE_TRY(const InsightList listAfter, std::move(foundAfter));
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
