// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "graph/dominators/dominator_tree.h"
#include "graph/reference_graph.h"
#include "graph/retained/retained_bytes.h"

namespace heapscape::engine {

/// What each object, root and group keeps alive: itself and everything that it dominates. By number in the dominator
/// tree; number 0 is all that can be reached.
struct RetainedSizes {
  RetainedBytes bytes;
  LargeArray<std::uint32_t> objects;  // itself included if it is one; of number 0 all reached
};

/// In the memory that the tree is done with, if there is any.
RetainedSizes addUpRetained(const DominatorTree& tree, const ReferenceGraph& graph, DominatorTree::Spare memory = {});

}  // namespace heapscape::engine
