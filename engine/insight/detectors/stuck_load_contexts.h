// SPDX-License-Identifier: MIT
#pragma once

#include "insight/detectors/detector.h"

namespace heapscape::engine {

/// Finds collectible AssemblyLoadContexts that were told to unload and cannot, because something outside still leads to
/// an object, type or method of theirs. One insight for each class of contexts. The bytes are what would be freed if
/// they unloaded: their objects, loader allocators and what their statics hold, with all that only these hold.
class StuckLoadContexts : public Detector {
 public:
  std::vector<InsightKind> kinds() const override { return {InsightKind::StuckLoadContext}; }
  Outcome<void> find(const InsightInput& input, FoundInsights& found, FindingList& findings, StageProgress& progress,
                     std::stop_token stop) const override;

  static constexpr std::size_t kMaximumClasses = 24;  // each takes a pass over the graph
};

}  // namespace heapscape::engine
