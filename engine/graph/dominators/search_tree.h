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

/// What the dominators of all vertices are found from; by number.
struct Candidates {
  LargeArray<std::uint32_t> dominators;      // at first the parents in the search tree
  LargeArray<std::uint32_t> semidominators;  // at first the predecessors with the smallest number
};

/// A depth-first search over a forest of roots and all objects that can be reached from it, with what is needed to
/// find dominators. Vertices are numbered from 1 in the order of the search; 0 stands for the whole.
struct SearchTree {
  /// How a vertex hangs in the tree.
  struct Link {
    std::uint32_t parent;
    std::uint32_t firstFinder;  // the predecessor with the smallest number
  };

  /// Instead of the number of a vertex that has no edges and was not met.
  static constexpr std::uint32_t kLeaf = 0x7fff'ffff;

  std::uint32_t reached = 0;
  LargeArray<std::uint32_t> numbers;  // by vertex; 0 or kLeaf if it cannot be reached
  LargeArray<Link> links;             // by number
  Candidates candidates;              // as they are at first
  ArcBuckets backArcs;                // from vertices into those with smaller numbers

  /// Of finding dominators as a whole; the progress goes so far.
  static constexpr double kProgressShare = 0.57;
  /// Nothing if it was stopped.
  static std::optional<SearchTree> grow(const EdgeRows& edges, const RootForest& roots, StageProgress& progress,
                                        const std::stop_token& stop);
};

}  // namespace heapscape::engine
