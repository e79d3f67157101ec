// SPDX-License-Identifier: MIT
#pragma once

#include "insight/detectors/detector.h"

namespace heapscape::engine {

/// EmptyArrays: arrays without elements, an insight for each type of array.
class EmptyArrays : public Detector {
 public:
  std::vector<InsightKind> kinds() const override { return {InsightKind::EmptyArrays}; }
  Outcome<void> find(const InsightInput& input, FoundInsights& found, FindingList& findings, StageProgress& progress,
                     std::stop_token stop) const override;
};

}  // namespace heapscape::engine
