// SPDX-License-Identifier: MIT
#pragma once

#include "insight/detectors/detector.h"

namespace heapscape::engine {

/// OneElementCollections: collections and arrays of one item, an insight for each type.
class OneElementCollections : public Detector {
 public:
  std::vector<InsightKind> kinds() const override { return {InsightKind::OneElementCollections}; }
  /// A collection with more room than this is an oversized one.
  static constexpr std::uint32_t kMostSlots = 16;

  Outcome<void> find(const InsightInput& input, FoundInsights& found, FindingList& findings, StageProgress& progress,
                     std::stop_token stop) const override;
};

}  // namespace heapscape::engine
