// SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "graph/dominators/dominator_tree.h"
#include "support/builders/reference_graph.h"

namespace heapscape::test {

/// A graph written down edge by edge.
class WrittenGraph {
 public:
  explicit WrittenGraph(std::uint32_t vertices) : m_edges(vertices) {}
  void add(std::uint32_t from, std::uint32_t to) { m_edges[from].push_back(to); }
  std::uint32_t size() const { return static_cast<std::uint32_t>(m_edges.size()); }

  /// By vertex.
  const std::vector<std::vector<std::uint32_t>>& edges() const { return m_edges; }
  const std::vector<std::uint32_t>& targetsOf(std::uint32_t vertex) const { return m_edges[vertex]; }

  engine::DominatorTree dominators(const std::vector<std::uint32_t>& roots) {
    return dominators(engine::RootForest::ofObjects(roots));
  }

  engine::DominatorTree dominators(const engine::RootForest& roots) {
    m_rows.assign(1, 0);
    m_targets.clear();
    for (const auto& targets : m_edges) {
      m_targets.insert(m_targets.end(), targets.begin(), targets.end());
      m_rows.push_back(static_cast<std::uint32_t>(m_targets.size()));
    }
    const engine::StoredRows rows = rowsOf(m_rows);
    engine::StageProgress progress(nullptr, "", 0, 1);
    auto tree = engine::DominatorTree::build({rows.starts(), m_targets}, roots, progress, {});
    EXPECT_TRUE(tree);
    return std::move(*tree);
  }

  /// What can be reached if one vertex is taken away.
  std::vector<bool> reachableWithout(const std::vector<std::uint32_t>& roots, std::uint32_t without) const {
    std::vector<bool> seen(size());
    std::vector<std::uint32_t> waiting;
    const auto visit = [&](std::uint32_t vertex) {
      if (vertex == without || seen[vertex]) return;
      seen[vertex] = true;
      waiting.push_back(vertex);
    };
    for (const std::uint32_t root : roots) visit(root);
    while (!waiting.empty()) {
      const std::uint32_t vertex = waiting.back();
      waiting.pop_back();
      for (const std::uint32_t target : m_edges[vertex]) visit(target);
    }
    return seen;
  }

 private:
  std::vector<std::vector<std::uint32_t>> m_edges;
  std::vector<std::uint32_t> m_rows;
  std::vector<std::uint32_t> m_targets;
};

inline constexpr std::uint32_t kNobody = 0xffffffff;

/// By definition, who dominates whom: [v][w] if w cannot be reached without v, both being reached and not the same.
inline std::vector<std::vector<bool>> dominationByDefinition(const WrittenGraph& graph,
                                                             const std::vector<std::uint32_t>& roots) {
  const std::vector<bool> reached = graph.reachableWithout(roots, kNobody);
  std::vector<std::vector<bool>> dominates(graph.size(), std::vector<bool>(graph.size()));
  for (std::uint32_t v = 0; v < graph.size(); ++v) {
    if (!reached[v]) continue;
    const std::vector<bool> without = graph.reachableWithout(roots, v);
    for (std::uint32_t w = 0; w < graph.size(); ++w) dominates[v][w] = w != v && reached[w] && !without[w];
  }
  return dominates;
}

/// By vertex: its immediate dominator, the one that all its others dominate; kNobody if it has none.
inline std::vector<std::uint32_t> dominatorsByDefinition(const WrittenGraph& graph,
                                                         const std::vector<std::uint32_t>& roots) {
  const std::vector<std::vector<bool>> dominates = dominationByDefinition(graph, roots);
  std::vector<std::uint32_t> count(graph.size());  // dominators of a vertex
  for (std::uint32_t v = 0; v < graph.size(); ++v)
    for (std::uint32_t w = 0; w < graph.size(); ++w) count[w] += dominates[v][w];
  std::vector<std::uint32_t> nearest(graph.size(), kNobody);
  for (std::uint32_t w = 0; w < graph.size(); ++w) {
    for (std::uint32_t v = 0; v < graph.size(); ++v)
      if (dominates[v][w] && count[v] + 1 == count[w]) nearest[w] = v;
  }
  return nearest;
}

}  // namespace heapscape::test
