// SPDX-License-Identifier: MIT
#pragma once

#include "insight/detectors/detector.h"

namespace heapscape::engine {

/// UniformArrays and SparseArrays, an insight for each type of array. What a collection keeps its items in is left to
/// it.
class RepeatedElements : public Detector {
 public:
  std::vector<InsightKind> kinds() const override { return {InsightKind::UniformArrays, InsightKind::SparseArrays}; }
  Outcome<void> find(const InsightInput& input, FoundInsights& found, FindingList& findings, StageProgress& progress,
                     std::stop_token stop) const override;
};

}  // namespace heapscape::engine
