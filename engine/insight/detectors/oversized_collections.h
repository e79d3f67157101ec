// SPDX-License-Identifier: MIT
#pragma once

#include "insight/detectors/detector.h"

namespace heapscape::engine {

/// OversizedCollections, an insight for each type of collection.
class OversizedCollections : public Detector {
 public:
  std::vector<InsightKind> kinds() const override { return {InsightKind::OversizedCollections}; }
  Outcome<void> find(const InsightInput& input, FoundInsights& found, FindingList& findings, StageProgress& progress,
                     std::stop_token stop) const override;
};

}  // namespace heapscape::engine
