// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "base/large_array.h"
#include "graph/dominators/closed_trees.h"
#include "graph/dominators/search_graph.h"
#include "graph/dominators/search_tree.h"
#include "graph/edge_rows.h"

namespace heapscape::engine {

/// A dominator tree of all that can be reached, numbered from 1 in preorder; 0 stands for the whole.
struct PreorderNumbers {
  LargeArray<std::uint32_t> numbers;     // by vertex; 0 for what cannot be reached
  LargeArray<std::uint32_t> vertices;    // by number
  LargeArray<std::uint32_t> dominators;  // by number
};

/// Puts together the dominators of what was searched, by its number in the search, and the closed trees below it. Uses
/// up all that it gets.
PreorderNumbers numberInPreorder(const EdgeRows& edges, ClosedTrees trees, const SearchGraph& graph, SearchTree search);

}  // namespace heapscape::engine
