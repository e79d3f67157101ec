// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <vector>

#include "insight/detectors/detector.h"

namespace heapscape::engine {

/// All detectors, in the order of the kinds that they find. `weight` is about how long one takes beside the others.
struct WeighedDetector {
  std::unique_ptr<Detector> detector;
  double weight = 1;
};
std::vector<WeighedDetector> makeDetectors();

}  // namespace heapscape::engine
