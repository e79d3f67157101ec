// SPDX-License-Identifier: MIT
#pragma once

#include "insight/detectors/detector.h"

namespace heapscape::engine {

/// DuplicateStrings: an insight for each text that several reachable strings hold.
class DuplicateStrings : public Detector {
 public:
  std::vector<InsightKind> kinds() const override { return {InsightKind::DuplicateStrings}; }
  Outcome<void> find(const InsightInput& input, FoundInsights& found, FindingList& findings, StageProgress& progress,
                     std::stop_token stop) const override;
};

}  // namespace heapscape::engine
