// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <vector>

#include "insight/detectors/detector.h"

namespace heapscape::engine {

// One file each, where its class says what it finds and what is counted.
std::unique_ptr<Detector> makeDuplicateStrings();
std::unique_ptr<Detector> makeBoxedValues();
std::unique_ptr<Detector> makeEmptyArrays();
std::unique_ptr<Detector> makeRepeatedElements();
std::unique_ptr<Detector> makeEmptyCollections();
std::unique_ptr<Detector> makeOversizedCollections();
std::unique_ptr<Detector> makeOneElementCollections();
std::unique_ptr<Detector> makePoorHashing();
std::unique_ptr<Detector> makePaddingWaste();
std::unique_ptr<Detector> makeSmallObjects();
std::unique_ptr<Detector> makeSingleFieldWrappers();
std::unique_ptr<Detector> makeDelegateLeaks();
std::unique_ptr<Detector> makeTimerLeaks();
std::unique_ptr<Detector> makeUndisposedFinalizables();
std::unique_ptr<Detector> makeFinalizerBehind();
std::unique_ptr<Detector> makePendingAsync();
std::unique_ptr<Detector> makeStuckLoadContexts();
std::unique_ptr<Detector> makeGenericGrowth();
std::unique_ptr<Detector> makeFragmentation();
std::unique_ptr<Detector> makeSuspects();

/// All detectors, in the order of the kinds that they find. `weight` is about how long one takes beside the others,
/// in percent of all on a heap of 15 million objects.
struct WeighedDetector {
  std::unique_ptr<Detector> detector;
  double weight = 1;
};
std::vector<WeighedDetector> makeDetectors();

/// Shows them the heap in one pass for all, then lets each find what it can, on all cores. What they have found stands
/// in their order. One that fails leaves the others their say; `findings` tells of it.
Outcome<void> runDetectors(std::vector<WeighedDetector>& detectors, const InsightInput& input, FoundInsights& found,
                           FindingList& findings, StageProgress& progress, const std::stop_token& stop);

}  // namespace heapscape::engine
