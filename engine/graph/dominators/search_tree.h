// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>

#include "base/large_array.h"
#include "graph/dominators/arc_buckets.h"
#include "graph/dominators/search_graph.h"

namespace heapscape::engine {

/// What the dominators of all vertices are found from; by number.
struct Candidates {
  LargeArray<std::uint32_t> dominators;      // at first the parents in the search tree
  LargeArray<std::uint32_t> semidominators;  // at first the predecessors with the smallest number
};

/// A depth-first search from the top of the forest of roots over all that can be reached from it, with what is needed
/// to find dominators. Vertices are numbered from 1 in the order of the search; 0 stands for the whole.
struct SearchTree {
  /// How a vertex hangs in the tree.
  struct Link {
    std::uint32_t parent;
    std::uint32_t firstFinder;  // the predecessor with the smallest number
  };

  std::uint32_t reached = 0;
  LargeArray<std::uint32_t> numbers;  // by place in the graph; 0 for what cannot be reached
  LargeArray<Link> links;             // by number
  Candidates candidates;              // as they are at first
  ArcBuckets backArcs;                // from vertices into those with smaller numbers

  /// Uses up the graph's nodes. `told` gets the shares that are done, up to 1. Nothing if it was stopped.
  static std::optional<SearchTree> grow(SearchGraph& graph, const RootForest& roots,
                                        const std::function<void(double)>& told, const std::stop_token& stop);
};

}  // namespace heapscape::engine
