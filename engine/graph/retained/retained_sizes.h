// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "graph/dominators/dominator_tree.h"
#include "graph/mostly_small.h"
#include "graph/reference_graph.h"
#include "graph/retained/retained_bytes.h"

namespace heapscape::engine {

/// What each object, root and group keeps alive: itself and everything that it dominates. By number in the dominator
/// tree; number 0 is all that can be reached.
struct RetainedSizes {
  RetainedBytes bytes;
  MostlySmall<std::uint8_t> objects;  // itself included if it is one; of number 0 all reached
};

RetainedSizes addUpRetained(const DominatorTree& tree, const ReferenceGraph& graph);

}  // namespace heapscape::engine
