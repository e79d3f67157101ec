// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include <tbb/task_arena.h>

#include "engine/graph/written_graph.h"
#include "graph/dominators/closed_trees.h"

namespace heapscape::test {
namespace {

using engine::ClosedTrees;
using engine::DominatorTree;
using engine::RootForest;

bool isSet(const std::vector<std::uint64_t>& bits, std::uint32_t object) {
  return bits[object / ClosedTrees::kWordBits] >> object % ClosedTrees::kWordBits & 1;
}

/// Trees of all shapes one behind the other, some of them with their tops last, over more objects than one core takes
/// at a time: lists, arrays, and what grows at random. Some objects refer to others elsewhere as well, some trees are
/// held by nothing. Object 0 is the only root and holds most trees.
class Wood {
 public:
  explicit Wood(std::uint32_t seed) : m_random(seed), m_graph(kObjects) {
    for (std::uint32_t first = 1; first < kObjects;) {
      const std::uint32_t size = std::min(kObjects - first, random() % 3 ? 1 + random() % 40 : random() % 60'000 + 1);
      growTree(first, size);
      first += size;
    }
    const std::uint32_t links = random() % 2'000;
    for (std::uint32_t i = 0; i < links; ++i) m_graph.add(random() % kObjects, random() % kObjects);
  }

  WrittenGraph& graph() { return m_graph; }

  ClosedTrees closedTrees(int cores) const {
    std::vector<std::uint32_t> starts{0};
    std::vector<std::uint32_t> targets;
    for (const auto& row : m_graph.edges()) {
      targets.insert(targets.end(), row.begin(), row.end());
      starts.push_back(static_cast<std::uint32_t>(targets.size()));
    }
    const engine::StoredRows rows = rowsOf(starts);
    return tbb::task_arena(cores).execute([&] {
      return *ClosedTrees::find({rows.starts(), targets}, RootForest::ofObjects(std::vector<std::uint32_t>{0}), {});
    });
  }

  static constexpr std::uint32_t kObjects = 600'000;

 private:
  std::uint32_t random() { return static_cast<std::uint32_t>(m_random()); }

  void growTree(std::uint32_t first, std::uint32_t size) {
    const bool isReversed = random() % 2;
    const auto at = [&](std::uint32_t i) { return isReversed ? first + size - 1 - i : first + i; };
    const std::uint32_t shape = random() % 3;
    for (std::uint32_t i = 1; i < size; ++i) m_graph.add(at(shape == 0 ? i - 1 : shape == 1 ? 0 : random() % i), at(i));
    if (random() % 10) m_graph.add(0, at(0));
  }

  std::mt19937 m_random;
  WrittenGraph m_graph;
};

/// Dominators as Cooper, Harvey and Kennedy find them, of what object 0 reaches; kNone for all else and for it.
std::vector<std::uint32_t> dominatorsByIteration(const WrittenGraph& graph) {
  std::vector<std::uint32_t> order;  // of leaving
  std::vector<std::uint32_t> rank(graph.size(), engine::kNone);
  std::vector<bool> seen(graph.size());
  std::vector<std::pair<std::uint32_t, std::size_t>> path{{0, 0}};
  seen[0] = true;
  while (!path.empty()) {
    auto& [vertex, next] = path.back();
    if (next == graph.targetsOf(vertex).size()) {
      rank[vertex] = static_cast<std::uint32_t>(order.size());
      order.push_back(vertex);
      path.pop_back();
    } else if (const std::uint32_t target = graph.targetsOf(vertex)[next++]; !seen[target]) {
      seen[target] = true;
      path.emplace_back(target, 0);
    }
  }
  std::vector<std::uint32_t> dominators(graph.size(), engine::kNone);
  for (bool changes = true; changes;) {
    changes = false;
    const std::vector<std::uint32_t> before = dominators;
    for (auto vertex = order.rbegin(); vertex != order.rend(); ++vertex) {
      for (const std::uint32_t target : graph.targetsOf(*vertex)) {
        if (target == 0) continue;
        std::uint32_t one = dominators[target];
        std::uint32_t other = *vertex;
        while (one != engine::kNone && one != other) {
          std::uint32_t& lower = rank[one] < rank[other] ? one : other;
          lower = dominators[lower];
        }
        dominators[target] = other;
      }
    }
    changes = dominators != before;
  }
  return dominators;
}

class ClosedTreesOf : public testing::TestWithParam<std::uint32_t> {};
INSTANTIATE_TEST_SUITE_P(Seeds, ClosedTreesOf, testing::Range(0u, 4u));

TEST_P(ClosedTreesOf, AWoodAreReferredToOnceAndLeadNowhereElse) {
  Wood wood(GetParam());
  ClosedTrees trees = wood.closedTrees(2);
  std::vector<std::uint32_t> references(Wood::kObjects);
  references[0] = 2;  // a root
  for (const auto& row : wood.graph().edges())
    for (const std::uint32_t target : row) ++references[target];
  std::uint32_t members = 0;
  for (std::uint32_t object = 0; object < Wood::kObjects; ++object) {
    const bool isMember = isSet(trees.members(), object);
    ASSERT_EQ(isSet(trees.searched(), object), references[object] > 0 && !isMember);
    if (!isMember) continue;
    ++members;
    ASSERT_EQ(references[object], 1u);
    std::uint32_t below = 0;
    for (const std::uint32_t target : wood.graph().targetsOf(object)) {
      ASSERT_TRUE(isSet(trees.members(), target));
      below += trees.below()[target] + 1;
    }
    ASSERT_EQ(trees.below()[object], below);
  }
  EXPECT_GT(members, Wood::kObjects / 2);
}

TEST_P(ClosedTreesOf, AWoodAreTheSameOnAnyNumberOfCores) {
  const Wood wood(GetParam());
  EXPECT_EQ(wood.closedTrees(1).members(), wood.closedTrees(3).members());
}

TEST_P(ClosedTreesOf, AWoodHangInTheDominatorTreeWithAllThatIsSearched) {
  Wood wood(GetParam());
  const std::vector<std::uint32_t> expected = dominatorsByIteration(wood.graph());
  const DominatorTree tree = wood.graph().dominators({0});
  std::vector<std::uint32_t> below(tree.reachedCount() + 1, 1);
  for (std::uint32_t number = tree.reachedCount(); number > 0; --number) {
    const std::uint32_t vertex = tree.vertexOf(number);
    ASSERT_EQ(tree.numberOf(vertex), number);
    const std::uint32_t dominator = tree.dominatorOf(number);
    ASSERT_LT(dominator, number);
    below[dominator] += below[number];
    if (vertex > 0 && tree.isObject(vertex)) {
      ASSERT_EQ(tree.vertexOf(dominator), expected[vertex]) << vertex;
    }
  }
  // In preorder what is behind a vertex is below it.
  for (std::uint32_t number = 1; number <= tree.reachedCount(); ++number) {
    const std::uint32_t dominator = tree.dominatorOf(number);
    ASSERT_LE(number + below[number], dominator + below[dominator]);
  }
  for (std::uint32_t vertex = 1; vertex < Wood::kObjects; ++vertex)
    ASSERT_EQ(tree.numberOf(vertex) == 0, expected[vertex] == engine::kNone);
}

}  // namespace
}  // namespace heapscape::test
