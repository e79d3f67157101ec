// SPDX-License-Identifier: MIT
#include "insight/detectors/detectors.h"

namespace heapscape::engine {

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
