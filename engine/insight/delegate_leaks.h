// SPDX-License-Identifier: MIT
#pragma once

#include "insight/detector.h"

namespace heapscape::engine {

/// Finds objects that only an event still holds: they subscribed to something that lives longer, and never left. One
/// insight for each event (a field with a multicast delegate) and type of target. A target counts if every path from a
/// root to it leads through the group's delegates; the bytes are all that would be freed without these.
class DelegateLeaks : public Detector {
 public:
  std::vector<InsightKind> kinds() const override { return {InsightKind::DelegateLeak}; }
  Outcome<void> find(const InsightInput& input, FoundInsights& found, FindingList& findings, StageProgress& progress,
                     std::stop_token stop) const override;

  static constexpr std::size_t kManyTargets = 10;  // of one type at one event; fewer are what events are for
};

}  // namespace heapscape::engine
