// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <random>

#include "engine/graph/written_graph.h"
#include "graph/retained/retained_by_type.h"
#include "graph/retained/retained_sizes.h"

namespace heapscape::test {
namespace {

using engine::DominatorTree;
using engine::LargeArray;
using engine::ReferenceGraph;
using engine::RetainedOfType;
using engine::RetainedSizes;
using engine::RootForest;

constexpr std::uint32_t kTypes = 5;

/// A random heap with cycles, parts that nothing holds, and groups of roots, some of them empty; in half of the heaps
/// many objects refer to nothing, as strings do. And the same as one plain graph, with the forest's vertices behind the
/// objects.
class RandomHeap {
 public:
  explicit RandomHeap(std::uint32_t seed) : m_random(seed), m_objects(1 + random() % 50), m_graph(m_objects) {
    const std::uint32_t edges = random() % (m_objects * (1 + random() % 4));
    for (std::uint32_t i = 0; i < edges; ++i) {
      const std::uint32_t from = random() % (seed / 2 % 2 ? m_objects : m_objects / 3 + 1);
      // Half of the heaps run mostly forward, as lists and trees do.
      m_graph.add(from, seed % 2 ? random() % m_objects : std::min(m_objects - 1, from + random() % 5));
    }
    const std::uint32_t vertices = 1 + random() % 12;
    for (std::uint32_t i = 0; i < vertices; ++i) {
      const std::uint32_t parent = i && random() % 3 ? random() % i : RootForest::kNone;
      const bool isGroup = parent == RootForest::kNone || m_forest[parent].object == RootForest::kNone;
      if (random() % 2 || !isGroup)
        m_forest.addGroup(isGroup ? parent : RootForest::kNone);
      else
        m_forest.addRoot(parent, random() % 5 ? random() % m_objects : RootForest::kNone);
    }
    for (std::uint32_t i = 0; i < m_objects; ++i) {
      m_units.push_back(3 + random() % 5);
      m_types.push_back(random() % kTypes);
    }
  }

  std::uint32_t objects() const { return m_objects; }
  const RootForest& forest() const { return m_forest; }
  DominatorTree dominators() { return m_graph.dominators(m_forest); }

  WrittenGraph whole() const {
    WrittenGraph graph(m_objects + m_forest.size());
    for (std::uint32_t from = 0; from < m_objects; ++from)
      for (const std::uint32_t to : m_graph.targetsOf(from)) graph.add(from, to);
    for (std::uint32_t i = 0; i < m_forest.size(); ++i) {
      if (m_forest[i].parent != RootForest::kNone) graph.add(m_objects + m_forest[i].parent, m_objects + i);
      if (m_forest[i].object != RootForest::kNone) graph.add(m_objects + i, m_forest[i].object);
    }
    return graph;
  }
  std::vector<std::uint32_t> tops() const {
    std::vector<std::uint32_t> tops;
    for (std::uint32_t i = 0; i < m_forest.size(); ++i)
      if (m_forest[i].parent == RootForest::kNone) tops.push_back(m_objects + i);
    return tops;
  }

  /// Forest vertices have no size and no type.
  std::uint64_t bytesOf(std::uint32_t vertex) const { return vertex < m_objects ? m_units[vertex] * 8 : 0; }
  bool isOfType(std::uint32_t vertex, std::uint32_t type) const {
    return vertex < m_objects && m_types[vertex] == type;
  }
  ReferenceGraph referenceGraph() const {
    ReferenceGraph graph;
    graph.units = engine::ObjectUnits(m_objects);
    for (std::uint32_t i = 0; i < m_objects; ++i) graph.units.set(i, m_units[i]);
    return graph;
  }
  engine::ObjectTypes types() const {
    engine::ObjectTypes types(m_objects, kTypes);
    for (std::uint32_t i = 0; i < m_objects; ++i) types.set(i, {m_types[i]});
    return types;
  }

 private:
  std::uint32_t random() { return static_cast<std::uint32_t>(m_random()); }

  std::mt19937 m_random;
  std::uint32_t m_objects;
  WrittenGraph m_graph;
  RootForest m_forest;
  std::vector<std::uint32_t> m_units;  // by object
  std::vector<std::uint32_t> m_types;
};

class RandomForests : public testing::TestWithParam<std::uint32_t> {
 protected:
  /// Calls test(heap) for a number of heaps.
  template <class Test>
  void forEachHeap(Test test) {
    for (std::uint32_t round = 0; round < 40 && !HasFatalFailure(); ++round) {
      SCOPED_TRACE(round);
      RandomHeap heap(GetParam() * 1000 + round);
      test(heap);
    }
  }
};
INSTANTIATE_TEST_SUITE_P(Seeds, RandomForests, testing::Range(0u, 25u));

TEST_P(RandomForests, HaveTheDominatorsOfTheDefinition) {
  forEachHeap([](RandomHeap& heap) {
    const WrittenGraph whole = heap.whole();
    const std::vector<bool> reached = whole.reachableWithout(heap.tops(), kNobody);
    const std::vector<std::uint32_t> expected = dominatorsByDefinition(whole, heap.tops());
    const DominatorTree tree = heap.dominators();
    ASSERT_EQ(tree.reachedCount(), std::count(reached.begin(), reached.end(), true));
    for (std::uint32_t vertex = 0; vertex < whole.size(); ++vertex) {
      const std::uint32_t number = tree.numberOf(vertex);
      ASSERT_EQ(number != 0, reached[vertex]);
      if (!number) continue;
      ASSERT_EQ(tree.vertexOf(number), vertex);
      const std::uint32_t dominator = tree.dominatorOf(number);
      ASSERT_EQ(dominator ? tree.vertexOf(dominator) : kNobody, expected[vertex]) << "vertex " << vertex;
    }
  });
}

TEST_P(RandomForests, NumberWhatAVertexDominatesRightBehindIt) {
  forEachHeap([](RandomHeap& heap) {
    const auto dominates = dominationByDefinition(heap.whole(), heap.tops());
    const DominatorTree tree = heap.dominators();
    for (std::uint32_t top = 1; top <= tree.reachedCount(); ++top) {
      const auto& isBelow = dominates[tree.vertexOf(top)];
      const auto count = static_cast<std::uint32_t>(std::count(isBelow.begin(), isBelow.end(), true));
      for (std::uint32_t number = top + 1; number <= top + count; ++number)
        ASSERT_TRUE(isBelow[tree.vertexOf(number)]) << number << " below " << top;
    }
  });
}

TEST_P(RandomForests, RetainWhatCannotBeReachedWithoutThem) {
  forEachHeap([](RandomHeap& heap) {
    const auto dominates = dominationByDefinition(heap.whole(), heap.tops());
    const DominatorTree tree = heap.dominators();
    const RetainedSizes sizes = addUpRetained(tree, heap.referenceGraph());
    std::uint64_t allBytes = 0;
    for (std::uint32_t number = 1; number <= tree.reachedCount(); ++number) {
      const std::uint32_t top = tree.vertexOf(number);
      allBytes += heap.bytesOf(top);
      std::uint64_t bytes = heap.bytesOf(top);
      std::uint32_t objects = top < heap.objects();
      for (std::uint32_t vertex = 0; vertex < heap.objects(); ++vertex) {
        if (!dominates[top][vertex]) continue;
        bytes += heap.bytesOf(vertex);
        ++objects;
      }
      ASSERT_EQ(sizes.bytes[number], bytes);
      ASSERT_EQ(sizes.objects[number], objects);
    }
    ASSERT_EQ(sizes.bytes[0], allBytes);
    ASSERT_EQ(sizes.objects[0], tree.reachedObjects());
  });
}

TEST_P(RandomForests, CountEachObjectOnceForAType) {
  forEachHeap([](RandomHeap& heap) {
    const auto dominates = dominationByDefinition(heap.whole(), heap.tops());
    const DominatorTree tree = heap.dominators();
    const ReferenceGraph graph = heap.referenceGraph();
    const std::vector<RetainedOfType> rows =
        addUpRetainedByType(tree, addUpRetained(tree, graph), graph, heap.types(), kTypes);
    ASSERT_EQ(rows.size(), kTypes);
    for (std::uint32_t type = 0; type < kTypes; ++type) {
      RetainedOfType expected;
      for (std::uint32_t vertex = 0; vertex < heap.objects(); ++vertex) {
        if (!tree.numberOf(vertex)) continue;
        bool isHeld = heap.isOfType(vertex, type);
        expected.instances += isHeld;
        if (isHeld) expected.bytes += heap.bytesOf(vertex);
        for (std::uint32_t above = 0; above < heap.objects(); ++above)
          isHeld = isHeld || (heap.isOfType(above, type) && dominates[above][vertex]);
        if (isHeld) expected.retainedBytes += heap.bytesOf(vertex);
      }
      ASSERT_EQ(rows[type].instances, expected.instances);
      ASSERT_EQ(rows[type].bytes, expected.bytes);
      ASSERT_EQ(rows[type].retainedBytes, expected.retainedBytes) << "type " << type;
    }
  });
}

}  // namespace
}  // namespace heapscape::test
