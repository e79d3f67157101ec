// SPDX-License-Identifier: MIT
#include "insight/detectors/detectors.h"

#include <fmt/format.h>
#include <tbb/parallel_for.h>

#include <iterator>

#include "base/progress.h"
#include "insight/heap_objects.h"

namespace heapscape::engine {
namespace {

/// Findings of one detector, kept apart until all have.
struct FindingsOfOne {
  FoundInsights found;
  FindingList findings;
  bool isCancelled = false;
};

void runOne(Detector& detector, const InsightInput& input, FindingsOfOne& result, PartOfJoint& part,
            const std::stop_token& stop) {
  StageProgress progress(&part, {}, 0, 1);
  const auto outcome = detector.find(input, result.found, result.findings, progress, stop);
  result.isCancelled = stop.stop_requested() || (!outcome && outcome.error().isCancelled());
  if (outcome || result.isCancelled) return;
  result.findings.add(
      FindingKind::RuntimeDataDamaged, {},
      fmt::format("Nothing can be said of {}: {}", toString(detector.kinds().front()), outcome.error().error().what));
}

void append(FindingsOfOne& one, FoundInsights& found, FindingList& findings) {
  found.insights.insert(found.insights.end(), std::make_move_iterator(one.found.insights.begin()),
                        std::make_move_iterator(one.found.insights.end()));
  found.smallInsights += one.found.smallInsights;
  found.smallBytes += one.found.smallBytes;
  findings.append(one.findings);
}

}  // namespace

Outcome<void> runDetectors(std::vector<WeighedDetector>& detectors, const InsightInput& input, FoundInsights& found,
                           FindingList& findings, StageProgress& progress, const std::stop_token& stop) {
  constexpr double kSeenEnd = 0.3;
  std::vector<ObjectVisitor*> visitors;
  double weight = 0;
  for (const WeighedDetector& one : detectors) {
    if (ObjectVisitor* visitor = one.detector->visitor(input)) visitors.push_back(visitor);
    weight += one.weight;
  }
  const auto tell = [&](double share) { progress.report(kSeenEnd * share); };
  if (!visitObjects(input, visitors, tell, stop)) return tl::unexpected(Unfinished::cancelled());
  JointProgress joint(progress, kSeenEnd, (1 - kSeenEnd) / weight);
  std::vector<FindingsOfOne> all(detectors.size());
  tbb::parallel_for(std::size_t{0}, detectors.size(), [&](std::size_t i) {
    PartOfJoint part(joint, detectors[i].weight);
    if (!stop.stop_requested()) runOne(*detectors[i].detector, input, all[i], part, stop);
  });
  for (FindingsOfOne& one : all) {
    if (stop.stop_requested() || one.isCancelled) return tl::unexpected(Unfinished::cancelled());
    append(one, found, findings);
  }
  return {};
}

std::vector<WeighedDetector> makeDetectors() {
  std::vector<WeighedDetector> detectors;
  detectors.push_back({makeDuplicateStrings(), 28});
  detectors.push_back({makeBoxedValues(), 7});
  detectors.push_back({makeEmptyArrays(), 4});
  detectors.push_back({makeRepeatedElements(), 4});
  detectors.push_back({makeEmptyCollections(), 1});
  detectors.push_back({makeOversizedCollections(), 1});
  detectors.push_back({makeOneElementCollections(), 5});
  detectors.push_back({makePoorHashing(), 1});
  detectors.push_back({makePaddingWaste(), 2});
  detectors.push_back({makeSmallObjects(), 9});
  detectors.push_back({makeSingleFieldWrappers(), 0.3});
  detectors.push_back({makeDelegateLeaks(), 0.3});
  detectors.push_back({makeTimerLeaks(), 0.3});
  detectors.push_back({makeUndisposedFinalizables(), 0.3});
  detectors.push_back({makeFinalizerBehind(), 0.3});
  detectors.push_back({makePendingAsync(), 0.5});
  detectors.push_back({makeStuckLoadContexts(), 0.3});
  detectors.push_back({makeGenericGrowth(), 0.3});
  detectors.push_back({makeFragmentation(), 0.3});
  detectors.push_back({makeSuspects(), 12});
  return detectors;
}

}  // namespace heapscape::engine
