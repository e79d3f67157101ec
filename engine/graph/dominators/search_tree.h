// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>

#include "base/large_array.h"
#include "base/progress.h"
#include "graph/dominators/arc_buckets.h"
#include "graph/edge_rows.h"
#include "graph/root_forest.h"

namespace heapscape::engine {

/// A depth-first search over a forest of roots and all objects that can be reached from it, with what is needed to
/// find dominators. Vertices are numbered from 1 in the order of the search; 0 stands for the whole.
struct SearchTree {
  /// How a vertex hangs in the tree.
  struct Link {
    std::uint32_t parent;
    std::uint32_t firstFinder;  // the predecessor with the smallest number
  };

  /// A vertex's first edge and its number side by side, since the search needs both at once.
  struct Node {
    std::uint32_t row;
    std::uint32_t number;  // 0 if it cannot be reached
  };

  std::uint32_t reached = 0;
  LargeArray<Node> nodes;              // by vertex, and one more
  LargeArray<std::uint32_t> vertices;  // by number
  LargeArray<Link> links;              // by number
  ArcBuckets backArcs;                 // from vertices into those with smaller numbers

  /// Of finding dominators as a whole; the progress goes so far.
  static constexpr double kProgressShare = 0.57;
  /// Nothing if it was stopped.
  static std::optional<SearchTree> grow(const EdgeRows& edges, const RootForest& roots, StageProgress& progress,
                                        const std::stop_token& stop);
};

}  // namespace heapscape::engine
