// SPDX-License-Identifier: MIT
#include "insight/detectors/detectors.h"

namespace heapscape::engine {

std::vector<WeighedDetector> makeDetectors() {
  std::vector<WeighedDetector> detectors;
  detectors.push_back({makeDuplicateStrings(), 4});
  detectors.push_back({makeBoxedValues(), 1});
  detectors.push_back({makeEmptyArrays(), 1});
  detectors.push_back({makeRepeatedElements(), 3});
  detectors.push_back({makeEmptyCollections(), 1});
  detectors.push_back({makeOversizedCollections(), 1});
  detectors.push_back({makeOneElementCollections(), 1});
  detectors.push_back({makePoorHashing(), 1});
  detectors.push_back({makePaddingWaste(), 3});
  detectors.push_back({makeSmallObjects(), 1});
  detectors.push_back({makeSingleFieldWrappers(), 1});
  detectors.push_back({makeDelegateLeaks(), 1});
  detectors.push_back({makeTimerLeaks(), 1});
  detectors.push_back({makeUndisposedFinalizables(), 1});
  detectors.push_back({makeFinalizerBehind(), 1});
  detectors.push_back({makePendingAsync(), 1});
  detectors.push_back({makeStuckLoadContexts(), 1});
  detectors.push_back({makeGenericGrowth(), 1});
  detectors.push_back({makeFragmentation(), 1});
  detectors.push_back({makeSuspects(), 3});
  return detectors;
}

}  // namespace heapscape::engine
