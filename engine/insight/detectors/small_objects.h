// SPDX-License-Identifier: MIT
#pragma once

#include "insight/detectors/detector.h"

namespace heapscape::engine {

/// SmallObjects, an insight for each type of small object in one collection or array.
class SmallObjects : public Detector {
 public:
  std::vector<InsightKind> kinds() const override { return {InsightKind::SmallObjects}; }
  Outcome<void> find(const InsightInput& input, FoundInsights& found, FindingList& findings, StageProgress& progress,
                     std::stop_token stop) const override;
};

}  // namespace heapscape::engine
