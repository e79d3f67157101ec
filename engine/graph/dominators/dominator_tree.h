// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>

#include "base/large_array.h"
#include "base/progress.h"
#include "graph/edge_rows.h"
#include "graph/root_forest.h"

namespace heapscape::engine {

struct RetainedSizes;

/// Immediate dominators of all that can be reached from a forest of roots: the nearest vertex that every path from
/// outside passes through. Vertices are the objects, by ObjectId, and behind them the forest's, by position. Reached
/// ones have a number from 1; 0 stands for the whole, above all roots. Numbers are in preorder: all that a vertex
/// dominates, directly or not, has the numbers right behind its own. The forest is reached in any case.
class DominatorTree {
 public:
  /// Returns nullopt if it was stopped. Iterative, whatever the depth; time grows with vertices and edges (semi-NCA,
  /// Georgiadis 2005, with path compression).
  static std::optional<DominatorTree> build(const EdgeRows& edges, const RootForest& roots, StageProgress& progress,
                                            std::stop_token stop);

  /// Parts of a tree. Numbers: by vertex; vertices and dominators: by number.
  struct Arrays {
    std::span<const std::uint32_t> numbers, vertices, dominators;
  };
  Arrays arrays() const { return {m_numbers.elements(), m_vertices.elements(), m_dominators.elements()}; }
  /// The tree of such arrays, that lie elsewhere and stay there for longer than the tree. Each number must be in
  /// bounds, and each dominator's smaller than its own.
  static DominatorTree ofArrays(std::uint32_t objectCount, const Arrays& arrays);

  std::uint32_t objectCount() const { return m_objectCount; }
  /// The vertex of a group or root of the forest.
  std::uint32_t vertexOfRoot(std::uint32_t position) const { return m_objectCount + position; }
  [[gnu::always_inline]] bool isObject(std::uint32_t vertex) const { return vertex < m_objectCount; }

  /// Vertices that can be reached, those of the forest among them.
  std::uint32_t reachedCount() const { return m_reached; }
  std::uint32_t reachedObjects() const { return m_reached - m_rootCount; }
  /// 0 for a vertex that cannot be reached.
  [[gnu::always_inline]] std::uint32_t numberOf(std::uint32_t vertex) const { return m_numbers[vertex]; }
  /// number: from 1 to reachedCount().
  [[gnu::always_inline]] std::uint32_t vertexOf(std::uint32_t number) const { return m_vertices[number]; }
  /// The number of the immediate dominator: an object, a root or a group, or 0 if only the whole forest holds it.
  [[gnu::always_inline]] std::uint32_t dominatorOf(std::uint32_t number) const { return m_dominators[number]; }
  /// The number of the immediate dominator if it is an object; 0 if it is not, for then only roots together hold it.
  std::uint32_t dominatingObjectOf(std::uint32_t number) const {
    const std::uint32_t dominator = m_dominators[number];
    return dominator && isObject(m_vertices[dominator]) ? dominator : 0;
  }

  std::uint64_t memoryBytes() const {
    return m_numbers.memoryBytes() + m_vertices.memoryBytes() + m_dominators.memoryBytes();
  }

 private:
  std::uint32_t m_objectCount = 0;
  std::uint32_t m_rootCount = 0;  // vertices of the forest
  std::uint32_t m_reached = 0;
  LargeArray<std::uint32_t> m_numbers;     // by vertex
  LargeArray<std::uint32_t> m_vertices;    // by number
  LargeArray<std::uint32_t> m_dominators;  // by number
};

/// The dominator tree downwards: the objects that each dominates directly, by number. 8 bytes an object.
class DominatorChildren {
 public:
  DominatorChildren() = default;
  /// Siblings in the order of their numbers.
  explicit DominatorChildren(const DominatorTree& tree);

  /// Puts the siblings that retain most first; those that retain the same keep their order. False if it was stopped.
  bool sortByRetained(const RetainedSizes& sizes, std::stop_token stop);

  std::span<const std::uint32_t> of(std::uint32_t number) const {
    return {m_children.data() + m_ends[number], m_children.data() + m_ends[number + 1]};
  }

 private:
  LargeArray<std::uint32_t> m_ends;      // by number + 1: where its children end
  LargeArray<std::uint32_t> m_children;  // numbers
};

}  // namespace heapscape::engine
