// SPDX-License-Identifier: MIT
#pragma once

#include "insight/detectors/detector.h"

namespace heapscape::engine {

/// BoxedValues, an insight for each type of value.
class BoxedValues : public Detector {
 public:
  std::vector<InsightKind> kinds() const override { return {InsightKind::BoxedValues}; }
  Outcome<void> find(const InsightInput& input, FoundInsights& found, FindingList& findings, StageProgress& progress,
                     std::stop_token stop) const override;
};

}  // namespace heapscape::engine
