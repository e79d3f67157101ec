// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <random>

#include "engine/graph/written_graph.h"
#include "graph/dominators/dominator_tree.h"

namespace heapscape::test {
namespace {

using engine::DominatorTree;
using engine::RootForest;

/// By vertex: its immediate dominator, kNobody for the roots together.
std::vector<std::uint32_t> dominatorsByVertex(const DominatorTree& tree, std::uint32_t vertices) {
  std::vector<std::uint32_t> result(vertices, kNobody);
  for (std::uint32_t vertex = 0; vertex < vertices; ++vertex) {
    const std::uint32_t number = tree.numberOf(vertex);
    if (number && tree.dominatingObjectOf(number)) result[vertex] = tree.vertexOf(tree.dominatingObjectOf(number));
  }
  return result;
}

TEST(DominatorTree, OfNothingIsEmpty) {
  WrittenGraph graph(0);
  EXPECT_EQ(graph.dominators(RootForest()).reachedCount(), 0u);
  WrittenGraph alone(3);
  EXPECT_EQ(alone.dominators(RootForest()).reachedCount(), 0u);
}

TEST(DominatorTree, OfADiamondMeetsAtItsTop) {
  WrittenGraph graph(5);
  graph.add(0, 1);
  graph.add(0, 2);
  graph.add(1, 3);
  graph.add(2, 3);
  graph.add(3, 4);
  EXPECT_EQ(dominatorsByVertex(graph.dominators({0}), 5), (std::vector<std::uint32_t>{kNobody, 0, 0, 0, 3}));
  EXPECT_EQ(dominatorsByVertex(graph.dominators({1, 2}), 5),
            (std::vector<std::uint32_t>{kNobody, kNobody, kNobody, kNobody, 3}));
}

TEST(DominatorTree, LeavesOutWhatCannotBeReached) {
  WrittenGraph graph(4);
  graph.add(0, 1);
  graph.add(2, 1);
  graph.add(2, 3);
  const DominatorTree tree = graph.dominators({0});
  EXPECT_EQ(tree.reachedObjects(), 2u);
  EXPECT_EQ(tree.numberOf(2), 0u);
  EXPECT_EQ(dominatorsByVertex(tree, 4), (std::vector<std::uint32_t>{kNobody, 0, kNobody, kNobody}));
}

TEST(DominatorTree, TakesARootTwiceAndRootsThatHoldEachOther) {
  WrittenGraph graph(3);
  graph.add(0, 1);
  graph.add(1, 0);
  graph.add(1, 2);
  EXPECT_EQ(dominatorsByVertex(graph.dominators({0, 0, 1, 1}), 3), (std::vector<std::uint32_t>{kNobody, kNobody, 1}));
}

TEST(DominatorTree, NumbersDominatorsBelowWhatTheyDominate) {
  WrittenGraph graph(200);
  std::mt19937 engine(7);
  const auto random = [&] { return static_cast<std::uint32_t>(engine()); };
  for (int i = 0; i < 500; ++i) graph.add(random() % 200, random() % 200);
  const DominatorTree tree = graph.dominators({0, 50});
  for (std::uint32_t number = 1; number <= tree.reachedCount(); ++number) {
    EXPECT_LT(tree.dominatorOf(number), number);
    EXPECT_EQ(tree.numberOf(tree.vertexOf(number)), number);
  }
}

TEST(DominatorTree, TellsWhatEachRootAndEachGroupHoldsAlone) {
  WrittenGraph graph(5);
  graph.add(0, 1);
  graph.add(2, 1);
  graph.add(3, 4);
  RootForest forest;
  const std::uint32_t statics = forest.addGroup();
  const std::uint32_t orders = forest.addRoot(statics, 0);
  const std::uint32_t lines = forest.addRoot(statics, 2);
  const std::uint32_t handle = forest.addRoot(RootForest::kNone, 3);
  const std::uint32_t same = forest.addRoot(RootForest::kNone, 3);
  const std::uint32_t empty = forest.addRoot(RootForest::kNone, RootForest::kNone);
  const DominatorTree tree = graph.dominators(forest);
  const auto dominatorOf = [&](std::uint32_t vertex) { return tree.dominatorOf(tree.numberOf(vertex)); };
  const auto numberOfRoot = [&](std::uint32_t position) { return tree.numberOf(tree.vertexOfRoot(position)); };
  EXPECT_EQ(tree.reachedObjects(), 5u);
  EXPECT_EQ(dominatorOf(0), numberOfRoot(orders));
  EXPECT_EQ(dominatorOf(2), numberOfRoot(lines));
  EXPECT_EQ(dominatorOf(1), numberOfRoot(statics));  // both of them hold it, and they belong together
  EXPECT_EQ(dominatorOf(3), 0u);                     // two roots of no common group
  EXPECT_EQ(dominatorOf(4), tree.numberOf(3));
  EXPECT_EQ(dominatorOf(tree.vertexOfRoot(orders)), numberOfRoot(statics));
  EXPECT_EQ(dominatorOf(tree.vertexOfRoot(statics)), 0u);
  EXPECT_NE(numberOfRoot(handle), 0u);
  EXPECT_NE(numberOfRoot(same), 0u);
  EXPECT_NE(numberOfRoot(empty), 0u);
  EXPECT_EQ(tree.dominatingObjectOf(tree.numberOf(1)), 0u);
}

TEST(DominatorTree, HasWhoAloneRefersToALeafAsItsDominator) {
  WrittenGraph graph(9);
  graph.add(0, 1);
  graph.add(0, 2);
  graph.add(1, 3);
  graph.add(2, 4);
  graph.add(2, 5);
  graph.add(6, 7);  // cannot be reached
  const DominatorTree tree = graph.dominators({0});
  EXPECT_EQ(dominatorsByVertex(tree, 9),
            (std::vector<std::uint32_t>{kNobody, 0, 0, 1, 2, 2, kNobody, kNobody, kNobody}));
  EXPECT_EQ(tree.reachedObjects(), 6u);
  for (const std::uint32_t unreached : {6, 7, 8}) EXPECT_EQ(tree.numberOf(unreached), 0u);
}

TEST(DominatorTree, SharesLeavesAmongAllWhoReferToThem) {
  WrittenGraph graph(8);
  graph.add(0, 1);
  graph.add(0, 2);
  graph.add(1, 3);  // twice by the same object
  graph.add(1, 3);
  graph.add(1, 4);  // by two
  graph.add(2, 4);
  graph.add(2, 5);  // by a second one that cannot be reached
  graph.add(6, 5);
  graph.add(2, 2);  // by itself
  graph.add(7, 7);
  EXPECT_EQ(dominatorsByVertex(graph.dominators({0, 7}), 8),
            (std::vector<std::uint32_t>{kNobody, 0, 0, 1, 0, 2, kNobody, kNobody}));
}

TEST(DominatorTree, HasRootsThatHoldLeaves) {
  WrittenGraph graph(4);
  graph.add(0, 1);
  graph.add(0, 2);
  const DominatorTree tree = graph.dominators({0, 1, 3});
  EXPECT_EQ(dominatorsByVertex(tree, 4), (std::vector<std::uint32_t>{kNobody, kNobody, 0, kNobody}));
  EXPECT_EQ(tree.dominatorOf(tree.numberOf(1)), 0u);  // a root, and an object of another one
  EXPECT_EQ(tree.dominatorOf(tree.numberOf(3)), tree.numberOf(tree.vertexOfRoot(2)));
}

// Wide lines of rows, and leaves on both sides of where lines and words end.
TEST(DominatorTree, HasLeavesOfObjectsWithManyReferences) {
  constexpr std::uint32_t kLeaves = 1000;
  WrittenGraph graph(kLeaves + 2);
  for (std::uint32_t i = 0; i < kLeaves; ++i) {
    graph.add(0, 2 + i);
    if (i % 3 == 0) graph.add(1, 2 + i);
  }
  graph.add(0, 1);
  const DominatorTree tree = graph.dominators({0, 1});
  ASSERT_EQ(tree.reachedObjects(), kLeaves + 2);
  for (std::uint32_t i = 0; i < kLeaves; ++i) {
    const std::uint32_t number = tree.numberOf(2 + i);
    ASSERT_EQ(tree.vertexOf(number), 2 + i);
    ASSERT_EQ(tree.dominatorOf(number), i % 3 ? tree.numberOf(0) : 0u) << i;
  }
}

class RandomGraphs : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Seeds, RandomGraphs, testing::Range(0, 60));

TEST_P(RandomGraphs, HaveTheDominatorsOfTheDefinition) {
  std::mt19937 engine(static_cast<unsigned>(GetParam()));
  const auto random = [&] { return static_cast<std::uint32_t>(engine()); };
  for (int round = 0; round < 20; ++round) {
    const std::uint32_t vertices = 1 + random() % 60;
    WrittenGraph graph(vertices);
    const std::uint32_t edges = random() % (vertices * (1 + random() % 4));
    for (std::uint32_t i = 0; i < edges; ++i) {
      const std::uint32_t from = random() % vertices;
      // Half of the graphs run mostly forward, as heaps of trees and lists do.
      const std::uint32_t to = round % 2 ? random() % vertices : std::min(vertices - 1, from + random() % 5);
      graph.add(from, to);
    }
    std::vector<std::uint32_t> roots;
    for (std::uint32_t i = 0; i <= random() % 4; ++i) roots.push_back(random() % vertices);
    ASSERT_EQ(dominatorsByVertex(graph.dominators(roots), vertices), dominatorsByDefinition(graph, roots))
        << "round " << round;
  }
}

TEST(DominatorTree, OfAMillionNodeChainNeedsNoDepthOfOurOwn) {
  constexpr std::uint32_t kLength = 1'000'000;
  WrittenGraph graph(kLength);
  for (std::uint32_t i = 0; i + 1 < kLength; ++i) {
    graph.add(i, i + 1);
    graph.add(i + 1, i);  // linked in both directions
  }
  graph.add(kLength - 1, 0);
  const DominatorTree tree = graph.dominators({0});
  ASSERT_EQ(tree.reachedObjects(), kLength);
  for (std::uint32_t i = 1; i < kLength; ++i) ASSERT_EQ(tree.vertexOf(tree.dominatorOf(tree.numberOf(i))), i - 1);
}

TEST(DominatorTree, StopsWhenAsked) {
  const std::vector<std::uint32_t> roots{0};
  engine::StageProgress progress(nullptr, "", 0, 1);
  std::stop_source stop;
  std::vector<std::uint32_t> chain(200'001), targets(200'000);
  for (std::uint32_t i = 0; i < targets.size(); ++i) {
    chain[i] = i;
    targets[i] = i + 1;
  }
  chain.back() = static_cast<std::uint32_t>(targets.size());
  chain.push_back(chain.back());
  stop.request_stop();
  const engine::StoredRows rows = rowsOf(chain);
  EXPECT_FALSE(
      DominatorTree::build({rows.starts(), targets}, RootForest::ofObjects(roots), progress, stop.get_token()));
}

}  // namespace
}  // namespace heapscape::test
