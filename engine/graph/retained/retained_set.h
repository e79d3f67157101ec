// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

#include "base/progress.h"
#include "graph/reference_graph.h"
#include "graph/retained/retained_sizes.h"

namespace heapscape::engine {

/// What is freed if some objects are taken away together.
struct RetainedSetTotals {
  std::uint64_t memberObjects = 0, memberBytes = 0;      // members that can be reached
  std::uint64_t retainedObjects = 0, retainedBytes = 0;  // with all that can be reached through members only
};

/// Goes through the graph once, from the objects that roots hold, around the members. `isMember`: by ObjectId. `tree`
/// and `sizes` tell what can be reached with the members. Nothing if it was stopped.
std::optional<RetainedSetTotals> addUpRetainedSet(const ReferenceGraph& graph, const DominatorTree& tree,
                                                  const RetainedSizes& sizes, std::span<const std::uint32_t> roots,
                                                  const std::vector<bool>& isMember, StageProgress& progress,
                                                  std::stop_token stop);

}  // namespace heapscape::engine
