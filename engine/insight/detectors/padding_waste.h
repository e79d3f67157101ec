// SPDX-License-Identifier: MIT
#pragma once

#include "insight/detectors/detector.h"

namespace heapscape::engine {

/// PaddingWaste, an insight for each type of the program.
class PaddingWaste : public Detector {
 public:
  std::vector<InsightKind> kinds() const override { return {InsightKind::PaddingWaste}; }
  Outcome<void> find(const InsightInput& input, FoundInsights& found, FindingList& findings, StageProgress& progress,
                     std::stop_token stop) const override;
};

}  // namespace heapscape::engine
