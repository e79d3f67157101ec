// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

#include "base/large_array.h"
#include "graph/dominators/dominator_tree.h"
#include "graph/edge_rows.h"
#include "graph/reference_graph.h"
#include "graph/retained/reached_ranges.h"

namespace heapscape::engine {

/// The objects that no root leads to, with the references among them: what they refer to that is live or frozen is left
/// out, and whatever refers to one is garbage itself, or frozen.
struct GarbageGraph {
  StoredRows rows;                    // by ObjectId of the whole heap; live and free objects have none
  LargeArray<std::uint32_t> targets;  // ObjectIds
  /// What all garbage can be reached from, ascending: objects that nothing else of it refers to, and of each ring of
  /// objects that nothing outside of it refers to the first in address order.
  std::vector<std::uint32_t> tops;
};

/// `live`: the tree of what the roots lead to. `frozen`: objects that are never collected. A pass over the references
/// of the garbage for them, and one or two to find the tops. Returns nullopt if it was stopped.
std::optional<GarbageGraph> garbageGraphOf(const ReferenceGraph& graph, const DominatorTree& live,
                                           std::span<const ObjectRange> frozen, const std::stop_token& stop);

}  // namespace heapscape::engine
