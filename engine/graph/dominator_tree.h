// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>

#include "base/ids.h"
#include "base/large_array.h"
#include "base/progress.h"

namespace heapscape::engine {

/// Who refers to whom by number: the targets of vertex v are targets[rows[v]] to targets[rows[v + 1]], the end left
/// out.
struct EdgeRows {
  std::span<const std::uint32_t> rows;  // one more than there are vertices
  std::span<const std::uint32_t> targets;
  std::uint32_t vertexCount() const { return rows.empty() ? 0 : static_cast<std::uint32_t>(rows.size() - 1); }
};

/// Immediate dominators of all that can be reached from some roots: the nearest vertex that every path from the roots
/// passes through. Reached vertices have a number from 1 in the order of a depth-first search; 0 stands for all roots
/// together. A dominator's number is always smaller than that of what it dominates.
class DominatorTree {
 public:
  /// Nothing if it was stopped. Iterative, whatever the depth; time grows with vertices and edges (semi-NCA,
  /// Georgiadis 2005, with path compression).
  static std::optional<DominatorTree> build(const EdgeRows& edges, std::span<const std::uint32_t> roots,
                                            StageProgress& progress, std::stop_token stop);

  /// Vertices that can be reached.
  std::uint32_t reachedCount() const { return m_reached; }
  /// 0 for a vertex that cannot be reached.
  std::uint32_t numberOf(std::uint32_t vertex) const { return m_nodes[vertex].number; }
  /// number: from 1 to reachedCount().
  std::uint32_t vertexOf(std::uint32_t number) const { return m_vertices[number]; }
  /// The number of the immediate dominator; 0 if only the roots together hold it.
  std::uint32_t dominatorOf(std::uint32_t number) const { return m_dominators[number]; }

  std::uint64_t memoryBytes() const {
    return m_nodes.memoryBytes() + m_vertices.memoryBytes() + m_dominators.memoryBytes();
  }

 private:
  // A vertex's first edge and its number side by side, since the search needs both at once.
  struct Node {
    std::uint32_t row;
    std::uint32_t number;
  };
  friend class DominatorSearch;

  std::uint32_t m_reached = 0;
  LargeArray<Node> m_nodes;                // by vertex
  LargeArray<std::uint32_t> m_vertices;    // by number
  LargeArray<std::uint32_t> m_dominators;  // by number
};

}  // namespace heapscape::engine
