// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>

#include "base/ids.h"
#include "base/large_array.h"
#include "base/progress.h"
#include "graph/root_forest.h"

namespace heapscape::engine {

/// Who refers to whom by number: the targets of vertex v are targets[rows[v]] to targets[rows[v + 1]], the end left
/// out.
struct EdgeRows {
  std::span<const std::uint32_t> rows;  // one more than there are vertices
  std::span<const std::uint32_t> targets;
  std::uint32_t vertexCount() const { return rows.empty() ? 0 : static_cast<std::uint32_t>(rows.size() - 1); }
};

/// Immediate dominators of all that can be reached from a forest of roots: the nearest vertex that every path from
/// outside passes through. Vertices are the objects, by ObjectId, and behind them the forest's, by position. Reached
/// ones have a number from 1 in the order of a depth-first search; 0 stands for the whole, above all roots. A
/// dominator's number is always smaller than that of what it dominates. The forest is reached in any case.
class DominatorTree {
 public:
  /// Nothing if it was stopped. Iterative, whatever the depth; time grows with vertices and edges (semi-NCA,
  /// Georgiadis 2005, with path compression).
  static std::optional<DominatorTree> build(const EdgeRows& edges, const RootForest& roots, StageProgress& progress,
                                            std::stop_token stop);

  std::uint32_t objectCount() const { return m_objectCount; }
  /// The vertex of a group or root of the forest.
  std::uint32_t vertexOfRoot(std::uint32_t position) const { return m_objectCount + position; }
  bool isObject(std::uint32_t vertex) const { return vertex < m_objectCount; }

  /// Vertices that can be reached, those of the forest among them.
  std::uint32_t reachedCount() const { return m_reached; }
  std::uint32_t reachedObjects() const { return m_reached - m_rootCount; }
  /// 0 for a vertex that cannot be reached.
  std::uint32_t numberOf(std::uint32_t vertex) const { return m_nodes[vertex].number; }
  /// number: from 1 to reachedCount().
  std::uint32_t vertexOf(std::uint32_t number) const { return m_vertices[number]; }
  /// The number of the immediate dominator: an object, a root or a group, or 0 if only the whole forest holds it.
  std::uint32_t dominatorOf(std::uint32_t number) const { return m_dominators[number]; }
  /// The same if it is an object; 0 if it is not, for then only roots together hold it.
  std::uint32_t dominatingObjectOf(std::uint32_t number) const {
    const std::uint32_t dominator = m_dominators[number];
    return dominator && isObject(m_vertices[dominator]) ? dominator : 0;
  }

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

  std::uint32_t m_objectCount = 0;
  std::uint32_t m_rootCount = 0;  // vertices of the forest
  std::uint32_t m_reached = 0;
  LargeArray<Node> m_nodes;                // by vertex
  LargeArray<std::uint32_t> m_vertices;    // by number
  LargeArray<std::uint32_t> m_dominators;  // by number
};

}  // namespace heapscape::engine
