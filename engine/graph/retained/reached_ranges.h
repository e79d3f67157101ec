// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
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
inline bool isIn(std::span<const ObjectRange> ranges, std::uint32_t object) {
  return std::ranges::any_of(ranges,
                             [&](const ObjectRange& range) { return object >= range.first && object < range.end; });
}

/// How much of each range can be reached: two numbers of each object are read in their order, on all cores, and no
/// reference is followed again.
std::vector<ReachableTotals> addUpReached(const DominatorTree& tree, const ReferenceGraph& graph,
                                          std::span<const ObjectRange> ranges);

}  // namespace heapscape::engine
