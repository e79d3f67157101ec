// SPDX-License-Identifier: MIT
// Garbage as a graph of its own, on random heaps: its references, its tops and its dominators, all by definition.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "engine/graph/written_graph.h"
#include "graph/garbage_graph.h"

namespace heapscape::test {
namespace {

using engine::DominatorTree;
using engine::GarbageGraph;
using engine::RootForest;

/// A heap of which roots reach a part; some of its objects are free, and nothing refers to these.
class HalfDeadHeap {
 public:
  explicit HalfDeadHeap(std::uint32_t seed) : m_random(seed), m_graph(1 + random() % 60), m_isFree(m_graph.size()) {
    for (std::uint32_t i = 0; i < m_graph.size(); ++i) m_isFree[i] = random() % 8 == 0;
    const std::uint32_t edges = random() % (m_graph.size() * 2 + 1);
    for (std::uint32_t i = 0; i < edges; ++i) {
      const std::uint32_t from = random() % m_graph.size(), to = random() % m_graph.size();
      if (!m_isFree[from] && !m_isFree[to]) m_graph.add(from, to);
    }
    for (std::uint32_t i = random() % 4; i > 0; --i) {
      const std::uint32_t root = random() % m_graph.size();
      if (!m_isFree[root]) m_roots.push_back(root);
    }
    m_isLive = m_graph.reachableWithout(m_roots, kNobody);
  }

  std::uint32_t size() const { return m_graph.size(); }
  bool isGarbage(std::uint32_t object) const { return !m_isLive[object] && !m_isFree[object]; }

  GarbageGraph garbage(std::span<const engine::ObjectRange> frozen = {}) {
    engine::ReferenceGraph graph = graphOf(m_graph.edges());
    for (std::uint32_t i = 0; i < size(); ++i)
      if (!m_isFree[i]) graph.units.set(i, 3);
    auto garbage = engine::garbageGraphOf(graph, m_graph.dominators(m_roots), frozen, {});
    EXPECT_TRUE(garbage);
    return std::move(*garbage);
  }

  /// The references among garbage, by definition.
  WrittenGraph among() const {
    WrittenGraph among(size());
    for (std::uint32_t from = 0; from < size(); ++from)
      for (const std::uint32_t to : m_graph.targetsOf(from))
        if (isGarbage(from) && isGarbage(to)) among.add(from, to);
    return among;
  }

 private:
  std::uint32_t random() { return static_cast<std::uint32_t>(m_random()); }

  std::mt19937 m_random;
  WrittenGraph m_graph;
  std::vector<bool> m_isFree;
  std::vector<bool> m_isLive;
  std::vector<std::uint32_t> m_roots;
};

class GarbageGraphs : public testing::TestWithParam<std::uint32_t> {
 protected:
  template <class Test>
  void forEachHeap(Test test) {
    for (std::uint32_t round = 0; round < 50 && !HasFatalFailure(); ++round) {
      SCOPED_TRACE(round);
      HalfDeadHeap heap(GetParam() * 1000 + round);
      test(heap);
    }
  }
};
INSTANTIATE_TEST_SUITE_P(Seeds, GarbageGraphs, testing::Range(0u, 20u));

TEST_P(GarbageGraphs, HaveTheReferencesAmongGarbageAndNoOthers) {
  forEachHeap([](HalfDeadHeap& heap) {
    const GarbageGraph garbage = heap.garbage();
    const WrittenGraph among = heap.among();
    const engine::EdgeRows edges{garbage.rows.starts(), garbage.targets.elements()};
    ASSERT_EQ(edges.vertexCount(), heap.size());
    for (std::uint32_t object = 0; object < heap.size(); ++object) {
      const auto targets = edges.targetsOf(object);
      ASSERT_EQ(std::vector(targets.begin(), targets.end()), among.targetsOf(object));
    }
  });
}

TEST_P(GarbageGraphs, LeaveFrozenObjectsOut) {
  forEachHeap([](HalfDeadHeap& heap) {
    const engine::ObjectRange frozen{heap.size() / 3, heap.size() * 2 / 3};
    const GarbageGraph garbage = heap.garbage({&frozen, 1});
    const engine::EdgeRows edges{garbage.rows.starts(), garbage.targets.elements()};
    const auto isFrozen = [&](std::uint32_t object) { return object >= frozen.first && object < frozen.end; };
    for (std::uint32_t object = 0; object < heap.size(); ++object) {
      ASSERT_TRUE(!isFrozen(object) || edges.targetsOf(object).empty());
      for (const std::uint32_t target : edges.targetsOf(object)) ASSERT_FALSE(isFrozen(target));
    }
    for (const std::uint32_t top : garbage.tops) ASSERT_FALSE(isFrozen(top));
  });
}

TEST_P(GarbageGraphs, AreReachedFromTheirTopsOfWhichNoneLeadsToAnother) {
  forEachHeap([](HalfDeadHeap& heap) {
    const GarbageGraph garbage = heap.garbage();
    const WrittenGraph among = heap.among();
    ASSERT_TRUE(std::ranges::is_sorted(garbage.tops));
    const std::vector<bool> reached = among.reachableWithout(garbage.tops, kNobody);
    for (std::uint32_t object = 0; object < heap.size(); ++object) ASSERT_EQ(reached[object], heap.isGarbage(object));
    for (const std::uint32_t top : garbage.tops) {
      const std::vector<bool> fromTop = among.reachableWithout({top}, kNobody);
      for (const std::uint32_t other : garbage.tops) ASSERT_EQ(fromTop[other], other == top) << top << " → " << other;
    }
  });
}

TEST_P(GarbageGraphs, AreDominatedAsByDefinition) {
  forEachHeap([](HalfDeadHeap& heap) {
    const GarbageGraph garbage = heap.garbage();
    WrittenGraph among = heap.among();
    RootForest forest;
    for (const std::uint32_t top : garbage.tops) forest.addTop(top);
    const DominatorTree tree = among.dominators(forest);
    const std::vector<std::uint32_t> expected = dominatorsByDefinition(among, garbage.tops);
    for (std::uint32_t object = 0; object < heap.size(); ++object) {
      const std::uint32_t number = tree.numberOf(object);
      ASSERT_EQ(number != 0, heap.isGarbage(object));
      if (!number) continue;
      const std::uint32_t dominator = tree.dominatorOf(number);
      ASSERT_EQ(dominator ? tree.vertexOf(dominator) : kNobody, expected[object]);
    }
  });
}

// Three that hold one another, and one behind them that comes first in the heap.
TEST(GarbageGraph, OfARingTheFirstObjectIsTheTop) {
  WrittenGraph written(4);
  written.add(2, 0);
  written.add(1, 2);
  written.add(2, 3);
  written.add(3, 1);
  engine::ReferenceGraph graph = graphOf(written.edges());
  for (std::uint32_t i = 0; i < 4; ++i) graph.units.set(i, 3);
  const auto garbage = engine::garbageGraphOf(graph, written.dominators(std::vector<std::uint32_t>{}), {}, {});
  ASSERT_TRUE(garbage);
  EXPECT_EQ(garbage->tops, std::vector<std::uint32_t>{1});
}

TEST(GarbageGraph, CanBeStopped) {
  std::stop_source stop;
  stop.request_stop();
  WrittenGraph written(2);
  const engine::ReferenceGraph graph = graphOf(written.edges());
  EXPECT_FALSE(engine::garbageGraphOf(graph, written.dominators(std::vector<std::uint32_t>{}), {}, stop.get_token()));
}

}  // namespace
}  // namespace heapscape::test
