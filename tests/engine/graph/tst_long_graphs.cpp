// SPDX-License-Identifier: MIT
// Graphs that take hours, or all of the stack, where an algorithm is quadratic or recursive.
#include <gtest/gtest.h>

#include <vector>

#include "graph/dominators/dominator_tree.h"
#include "graph/retained/retained_sizes.h"
#include "support/builders/reference_graph.h"

namespace heapscape::test {
namespace {

using engine::DominatorTree;

constexpr std::uint32_t kLength = 1'000'000;

/// Edges in the order of their sources.
class GraphWriter {
 public:
  void add(std::uint32_t target) { m_targets.push_back(target); }
  /// The next vertex begins.
  void endVertex() { m_rows.push_back(static_cast<std::uint32_t>(m_targets.size())); }
  std::uint32_t vertexCount() const { return static_cast<std::uint32_t>(m_rows.size() - 1); }

  DominatorTree dominators(const std::vector<std::uint32_t>& roots) const {
    engine::StageProgress progress(nullptr, "", 0, 1);
    const engine::StoredRows rows = rowsOf(m_rows);
    auto tree = DominatorTree::build({rows.starts(), m_targets}, engine::RootForest::ofObjects(roots), progress, {});
    EXPECT_TRUE(tree);
    return std::move(*tree);
  }

 private:
  std::vector<std::uint32_t> m_rows{0};
  std::vector<std::uint32_t> m_targets;
};

std::uint32_t dominatorOf(const DominatorTree& tree, std::uint32_t vertex) {
  return tree.vertexOf(tree.dominatorOf(tree.numberOf(vertex)));
}

TEST(LongGraphs, AListWithLinksBackAndToItsHeadIsAChain) {
  GraphWriter graph;
  for (std::uint32_t i = 0; i < kLength; ++i) {
    if (i + 1 < kLength) graph.add(i + 1);
    if (i > 0) graph.add(i - 1);
    graph.add(0);
    graph.endVertex();
  }
  const DominatorTree tree = graph.dominators({0});
  ASSERT_EQ(tree.reachedObjects(), kLength);
  for (std::uint32_t i = 1; i < kLength; ++i) ASSERT_EQ(dominatorOf(tree, i), i - 1);
}

TEST(LongGraphs, EachNodeOfAListRetainsAllBehindIt) {
  // Every node has a value before the next one, and one in ten a second value.
  GraphWriter graph;
  engine::ReferenceGraph sizes;
  std::vector<std::uint32_t> nodes;
  std::vector<std::uint32_t> units;
  while (nodes.size() < kLength / 4) {
    const bool hasTwo = nodes.size() % 10 == 0;
    nodes.push_back(graph.vertexCount());
    const std::uint32_t values = hasTwo ? 2 : 1;
    for (std::uint32_t i = 0; i <= values; ++i) graph.add(nodes.back() + 1 + i);
    graph.endVertex();
    for (std::uint32_t i = 0; i < values; ++i) graph.endVertex();
    units.insert(units.end(), {5u, 3u});
    if (hasTwo) units.push_back(4);
  }
  graph.endVertex();  // what the last node refers to
  units.push_back(7);
  sizes.units = engine::ObjectUnits(graph.vertexCount());
  for (std::uint32_t i = 0; i < graph.vertexCount(); ++i) sizes.units.set(i, units[i]);
  const DominatorTree tree = graph.dominators({0});
  const engine::RetainedSizes retained = addUpRetained(tree, sizes);
  std::uint64_t bytes = 0;
  std::uint32_t node = static_cast<std::uint32_t>(nodes.size());
  for (std::uint32_t vertex = graph.vertexCount(); vertex-- > 0;) {
    bytes += units[vertex] * 8;
    if (node == 0 || nodes[node - 1] != vertex) continue;
    --node;
    ASSERT_EQ(retained.bytes[tree.numberOf(vertex)], bytes) << vertex;
    ASSERT_EQ(retained.objects[tree.numberOf(vertex)], graph.vertexCount() - vertex) << vertex;
  }
}

TEST(LongGraphs, AListWithAnArrayOfItsNodesHangsOnTheirOwner) {
  // The owner, its array, then the nodes, each with its value.
  constexpr std::uint32_t kFirstNode = 2;
  GraphWriter graph;
  graph.add(1);
  graph.add(kFirstNode);
  graph.endVertex();
  for (std::uint32_t i = 0; i < kLength; ++i) graph.add(kFirstNode + 2 * i);
  graph.endVertex();
  for (std::uint32_t i = 0; i < kLength; ++i) {
    if (i + 1 < kLength) graph.add(kFirstNode + 2 * (i + 1));
    if (i > 0) graph.add(kFirstNode + 2 * (i - 1));
    graph.add(kFirstNode + 2 * i + 1);
    graph.endVertex();
    graph.endVertex();
  }
  const DominatorTree tree = graph.dominators({0});
  ASSERT_EQ(tree.reachedObjects(), graph.vertexCount());
  for (std::uint32_t i = 0; i < kLength; ++i) {
    ASSERT_EQ(dominatorOf(tree, kFirstNode + 2 * i), 0u);
    ASSERT_EQ(dominatorOf(tree, kFirstNode + 2 * i + 1), kFirstNode + 2 * i);
  }
}

TEST(LongGraphs, WhatHangsOnTheEndOfAListAndOnAnotherRootTakesNoClimbOfTheWholeList) {
  // A list, at whose end an array holds objects that a second array holds, too. Each object has a part of its own.
  constexpr std::uint32_t kShared = 300'000;
  constexpr std::uint32_t kLast = kLength;
  constexpr std::uint32_t kOther = kLength + 1;
  constexpr std::uint32_t kFirstShared = kLength + 2;
  GraphWriter graph;
  for (std::uint32_t i = 0; i < kLength; ++i) {
    graph.add(i + 1);
    graph.endVertex();
  }
  for (int array = 0; array < 2; ++array) {
    for (std::uint32_t i = 0; i < kShared; ++i) graph.add(kFirstShared + 2 * i);
    graph.endVertex();
  }
  for (std::uint32_t i = 0; i < kShared; ++i) {
    graph.add(kFirstShared + 2 * i + 1);
    graph.endVertex();
    graph.endVertex();
  }
  for (const std::vector<std::uint32_t>& roots : {std::vector<std::uint32_t>{0, kOther}, {kOther, 0}}) {
    const DominatorTree tree = graph.dominators(roots);
    ASSERT_EQ(tree.reachedObjects(), graph.vertexCount());
    ASSERT_EQ(dominatorOf(tree, kLast), kLast - 1);
    for (std::uint32_t i = 0; i < kShared; ++i) {
      ASSERT_EQ(tree.dominatorOf(tree.numberOf(kFirstShared + 2 * i)), 0u);
      ASSERT_EQ(dominatorOf(tree, kFirstShared + 2 * i + 1), kFirstShared + 2 * i);
    }
  }
}

}  // namespace
}  // namespace heapscape::test
