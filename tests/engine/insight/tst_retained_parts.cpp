// SPDX-License-Identifier: MIT
#include "graph/retained/retained_parts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

#include "engine/graph/written_graph.h"
#include "session/objects/retained_query.h"
#include "session/snapshot/contents.h"
#include "support/builders/reference_graph.h"
#include "support/dump_path.h"
#include "support/opened_snapshot.h"
#include "support/truth.h"

namespace heapscape::test {
namespace {

using namespace engine;

constexpr std::uint64_t kAnyBudget = ~0ull;

/// A graph whose objects have 8 bytes each, with all that questions need.
class PartsOfGraph {
 public:
  PartsOfGraph(WrittenGraph graph, std::vector<std::uint32_t> roots)
      : m_written(std::move(graph)), m_roots(std::move(roots)), m_tree(m_written.dominators(m_roots)) {
    m_graph = graphOf(m_written.edges());
    for (std::uint32_t i = 0; i < m_graph.units.size(); ++i) m_graph.units.set(i, 1);
    m_sizes = addUpRetained(m_tree, m_graph);
  }

  RetainedParts without(const RetainedPartsQuestion& question, std::uint64_t budget = kAnyBudget) const {
    auto parts = RetainedPartsFinder(m_graph, m_tree, m_sizes, m_roots, budget).without(question, {});
    EXPECT_TRUE(parts);
    return parts ? std::move(*parts) : RetainedParts{};
  }

  /// By trying: those that can be reached, but not without the members.
  std::set<std::uint32_t> lostWithout(const RetainedPartsQuestion& question) const {
    const std::set<std::uint32_t> members(question.members.begin(), question.members.end());
    std::vector<bool> isSeen(m_written.size());
    std::vector<std::uint32_t> waiting;
    const auto visit = [&](std::uint32_t vertex, bool isLetGo) {
      if (isSeen[vertex] || (isLetGo && members.contains(vertex))) return;
      isSeen[vertex] = true;
      waiting.push_back(vertex);
    };
    for (const std::uint32_t root : m_roots) visit(root, isLetGoBy(question, kNone, root));
    for (const std::uint32_t object : question.kept) {
      if (m_tree.numberOf(object)) visit(object, true);
    }
    while (!waiting.empty()) {
      const std::uint32_t vertex = waiting.back();
      waiting.pop_back();
      for (const std::uint32_t target : m_written.targetsOf(vertex)) visit(target, isLetGoBy(question, vertex, target));
    }
    std::set<std::uint32_t> lost;
    for (std::uint32_t vertex = 0; vertex < m_written.size(); ++vertex) {
      if (!isSeen[vertex] && m_tree.numberOf(vertex)) lost.insert(vertex);
    }
    return lost;
  }

  void expectExact(const RetainedPartsQuestion& question) const {
    const RetainedParts parts = without(question);
    const std::set<std::uint32_t> expected = lostWithout(question);
    EXPECT_TRUE(parts.isExact);
    EXPECT_EQ(parts.objects, expected.size());
    EXPECT_EQ(parts.bytes, expected.size() * 8);
    for (std::uint32_t vertex = 0; vertex < m_written.size(); ++vertex)
      ASSERT_EQ(parts.contains(m_tree, m_sizes, vertex), expected.contains(vertex)) << vertex;
  }

 private:
  static bool isLetGoBy(const RetainedPartsQuestion& question, std::uint32_t holder, std::uint32_t member) {
    return !question.isLettingGo || question.isLettingGo(holder, member);
  }

  WrittenGraph m_written;
  std::vector<std::uint32_t> m_roots;
  DominatorTree m_tree;
  ReferenceGraph m_graph;
  RetainedSizes m_sizes;
};

TEST(RetainedParts, HaveWhatOnlySeveralMembersHoldTogether) {
  WrittenGraph graph(5);  // 0 holds 1 and 2, which share 3; 4 is shared with 0
  graph.add(0, 1);
  graph.add(0, 2);
  graph.add(1, 3);
  graph.add(2, 3);
  graph.add(2, 4);
  graph.add(0, 4);
  const PartsOfGraph parts(std::move(graph), {0});
  EXPECT_EQ(parts.without({.members = std::vector<std::uint32_t>{1}}).objects, 1u);
  EXPECT_EQ(parts.without({.members = std::vector<std::uint32_t>{1, 2}}).objects, 3u);
}

TEST(RetainedParts, OfAListKeepWhatWouldBeLinkedAnew) {
  WrittenGraph graph(6);  // 0 → 1 → 2 → 3, each with its own thing but 3
  graph.add(0, 1);
  graph.add(1, 2);
  graph.add(2, 3);
  graph.add(1, 4);
  graph.add(2, 5);
  const PartsOfGraph parts(std::move(graph), {0});
  const std::vector<std::uint32_t> first{1};
  const std::vector<std::uint32_t> others{2, 3};
  EXPECT_EQ(parts.without({.members = first}).objects, 5u);
  const RetainedParts unlinked = parts.without({.members = first, .kept = others});
  EXPECT_EQ(unlinked.alone, (std::vector<std::uint32_t>{1, 4}));
}

TEST(RetainedParts, AreKeptByWhoDoesNotLetGo) {
  WrittenGraph graph(3);  // 0 and 1 refer to 2; only 0 would let it go
  graph.add(0, 1);
  graph.add(0, 2);
  graph.add(1, 2);
  const PartsOfGraph parts(std::move(graph), {0});
  const std::vector<std::uint32_t> member{2};
  EXPECT_EQ(parts.without({member, {}, [](std::uint32_t holder, std::uint32_t) { return holder == 0; }}).objects, 0u);
  EXPECT_EQ(parts.without({member, {}, [](std::uint32_t, std::uint32_t) { return true; }}).objects, 1u);
}

TEST(RetainedParts, AreWhatCannotBeReachedInRandomGraphs) {
  std::mt19937 engine(7);
  for (int round = 0; round < 200; ++round) {
    const std::uint32_t vertices = 2 + static_cast<std::uint32_t>(engine() % 60);
    const auto random = [&] { return static_cast<std::uint32_t>(engine() % vertices); };
    WrittenGraph graph(vertices);
    for (std::uint32_t i = 0; i < vertices + vertices / 2; ++i) graph.add(random(), random());
    const PartsOfGraph parts(std::move(graph), {random(), random()});
    const std::vector<std::uint32_t> members{random(), random(), random()};
    const std::vector<std::uint32_t> kept{random()};
    const auto isEven = [](std::uint32_t holder, std::uint32_t) { return holder % 2 == 0; };
    parts.expectExact({.members = members});
    parts.expectExact({.members = members, .kept = kept});
    parts.expectExact({members, kept, isEven});
    parts.expectExact({members, {}, isEven});
    parts.expectExact(
        {members, {}, [](std::uint32_t holder, std::uint32_t member) { return holder % 3 > member % 2; }});
    parts.expectExact({members, {}, [](std::uint32_t holder, std::uint32_t) { return holder == kNone; }});
  }
}

TEST(RetainedParts, SayWhenTheyAreNotAllThereIs) {
  WrittenGraph graph(4);
  graph.add(0, 1);
  graph.add(0, 2);
  graph.add(1, 3);
  graph.add(2, 3);
  const PartsOfGraph parts(std::move(graph), {0});
  const RetainedParts some = parts.without({.members = std::vector<std::uint32_t>{1, 2}}, 1);
  EXPECT_FALSE(some.isExact);
  EXPECT_EQ(some.objects, 2u);
  EXPECT_TRUE(parts.without({.members = std::vector<std::uint32_t>{1}}, 0).isExact);  // the tree alone tells
}

TEST(RetainedParts, OfARealHeapAreWhatASetRetains) {
  const Snapshot snapshot = openSnapshot(dumpPath("shop-9"), Stage::Retained);
  const Contents& contents = snapshot.contents();
  std::vector<std::uint32_t> roots;
  for (const RootRow& root : snapshot.roots().roots) {
    if (const ObjectId id = contents.heap->index.idOf(root.object); !id.isNone()) roots.push_back(id.value);
  }
  RetainedPartsFinder finder(*contents.graph, contents.retention->tree, contents.retention->sizes, roots, kAnyBudget);
  std::mt19937 engine(11);
  for (int round = 0; round < 60; ++round) {
    ObjectSet set;
    std::vector<std::uint32_t> members;
    for (int i = 0; i < 1 << round % 8; ++i) {
      members.push_back(static_cast<std::uint32_t>(engine() % contents.graph->objectCount()));
      set.objects.push_back(contents.heap->index.addressOf({members.back()}));
    }
    const auto expected = retainedOfSet(snapshot, set, nullptr, {});
    const auto parts = finder.without({.members = members}, {});
    ASSERT_TRUE(expected && parts);
    EXPECT_EQ(parts->bytes, expected->retained.bytes);
    EXPECT_EQ(parts->objects, expected->retained.objects);
    EXPECT_EQ(finder.without(members, roots, {})->bytes, expected->retained.bytes);
  }
}

}  // namespace
}  // namespace heapscape::test
