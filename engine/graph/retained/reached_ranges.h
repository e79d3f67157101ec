// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "graph/retained/reachable_set.h"

namespace heapscape::engine {

class DominatorTree;
struct ReferenceGraph;

/// ObjectIds [first, end).
struct ObjectRange {
  std::uint32_t first = 0, end = 0;
};

/// How much of each range can be reached: two numbers of each object are read in their order, on all cores, and no
/// reference is followed again.
std::vector<ReachableTotals> addUpReached(const DominatorTree& tree, const ReferenceGraph& graph,
                                          std::span<const ObjectRange> ranges);

}  // namespace heapscape::engine
