// SPDX-License-Identifier: MIT
#pragma once

#include "insight/detectors/detector.h"

namespace heapscape::engine {

/// EmptyCollections, an insight for each type of collection.
class EmptyCollections : public Detector {
 public:
  std::vector<InsightKind> kinds() const override { return {InsightKind::EmptyCollections}; }
  Outcome<void> find(const InsightInput& input, FoundInsights& found, FindingList& findings, StageProgress& progress,
                     std::stop_token stop) const override;
};

}  // namespace heapscape::engine
