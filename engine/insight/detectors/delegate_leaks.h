// SPDX-License-Identifier: MIT
#pragma once

#include "insight/detectors/detector.h"

namespace heapscape::engine {

/// Finds objects that only a callback still keeps: they subscribed to something that lives longer, and never left. One
/// insight for each publisher (an event, a cancellation token, a collection of delegates) and type of target. A target
/// counts if every path from a root to it leads through the group's callbacks; the bytes are all that would be freed
/// without these.
class DelegateLeaks : public Detector {
 public:
  std::vector<InsightKind> kinds() const override { return {InsightKind::DelegateLeak}; }
  Outcome<void> find(const InsightInput& input, FoundInsights& found, FindingList& findings, StageProgress& progress,
                     std::stop_token stop) const override;

  static constexpr std::size_t kManyOfFramework = 1000;  // operations of its own that a token could cancel
};

}  // namespace heapscape::engine
