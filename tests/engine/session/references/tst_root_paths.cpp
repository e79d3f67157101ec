// SPDX-License-Identifier: MIT
// Why an object is alive, against a search that knows nothing of the index.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <queue>
#include <set>
#include <unordered_map>

#include "session/objects/object_query.h"
#include "session/objects/retained_query.h"
#include "session/open/retained_stage.h"
#include "session/references/paths_query.h"
#include "session/references/reference_query.h"
#include "support/opened_snapshot.h"
#include "support/patched_core.h"
#include "support/truth.h"

namespace heapscape::test {
namespace {

using engine::Address;

engine::Snapshot retained(const engine::Snapshot& snapshot, const engine::RootOptions& roots = {}) {
  auto seen = engine::addRetained(snapshot, {.roots = roots, .byType = false}, nullptr, {});
  EXPECT_TRUE(seen);
  return *seen;
}

/// Distances by a plain breadth-first search over the edges as they stand in memory. What a static within the runtime's
/// own array refers to is held by the static and not by that array.
class NaivePaths {
 public:
  explicit NaivePaths(const engine::Snapshot& snapshot) {
    std::set<Address> slots;
    for (const engine::RootRow& root : snapshot.roots().roots) {
      m_rooted.insert(root.object);
      if (root.kind == engine::RootKind::Static || root.kind == engine::RootKind::ThreadStatic)
        slots.insert(root.address);
    }
    engine::forEachObject(snapshot, {}, [&](const engine::ObjectRow& row) {
      m_objects.push_back(row.address);
      return true;
    });
    engine::forEachEdge(snapshot, [&](const engine::Edge& edge) {
      if (edge.kind == engine::EdgeKind::Dependent || !slots.contains(edge.from + edge.offset)) {
        m_edges[edge.from].insert(edge.to);
        m_referrers[edge.to].push_back(edge);
      }
      return true;
    });
    std::queue<Address> waiting;
    for (const Address root : m_rooted) {
      if (m_distances.try_emplace(root, 1).second) waiting.push(root);
    }
    for (; !waiting.empty(); waiting.pop()) {
      for (const Address target : m_edges[waiting.front()]) {
        if (m_distances.try_emplace(target, m_distances[waiting.front()] + 1).second) waiting.push(target);
      }
    }
  }

  const std::vector<Address>& objects() const { return m_objects; }
  bool isRooted(Address object) const { return m_rooted.contains(object); }
  bool hasEdge(Address from, Address to) const {
    const auto targets = m_edges.find(from);
    return targets != m_edges.end() && targets->second.contains(to);
  }
  /// 0 if it cannot be reached.
  std::uint64_t distance(Address object) const {
    const auto found = m_distances.find(object);
    return found == m_distances.end() ? 0 : found->second;
  }
  const std::vector<engine::Edge>& referrers(Address object) const {
    static const std::vector<engine::Edge> kNone;
    const auto found = m_referrers.find(object);
    return found == m_referrers.end() ? kNone : found->second;
  }

  /// Objects on the shortest way from each rooted object that leads there, by that object.
  std::map<Address, std::uint64_t> wayLengths(Address object) const {
    std::map<Address, std::uint64_t> lengths;
    std::unordered_map<Address, std::uint64_t> seen{{object, 1}};
    std::queue<Address> waiting;
    for (waiting.push(object); !waiting.empty(); waiting.pop()) {
      const std::uint64_t length = seen[waiting.front()];
      if (isRooted(waiting.front())) lengths[waiting.front()] = length;
      for (const engine::Edge& edge : referrers(waiting.front())) {
        if (distance(edge.from) && seen.try_emplace(edge.from, length + 1).second) waiting.push(edge.from);
      }
    }
    return lengths;
  }

  /// Objects on the shortest way between two objects; 0 if there is none.
  std::uint64_t between(Address from, Address to) const {
    std::unordered_map<Address, std::uint64_t> seen{{from, 1}};
    std::queue<Address> waiting;
    for (waiting.push(from); !waiting.empty(); waiting.pop()) {
      const auto targets = m_edges.find(waiting.front());
      if (targets == m_edges.end()) continue;
      for (const Address target : targets->second) {
        if (seen.try_emplace(target, seen[waiting.front()] + 1).second) waiting.push(target);
      }
    }
    const auto found = seen.find(to);
    return found == seen.end() ? 0 : found->second;
  }

 private:
  std::vector<Address> m_objects;
  std::set<Address> m_rooted;
  std::unordered_map<Address, std::set<Address>> m_edges;
  std::unordered_map<Address, std::vector<engine::Edge>> m_referrers;
  std::unordered_map<Address, std::uint64_t> m_distances;
};

void expectWay(const NaivePaths& naive, const std::vector<engine::PathStep>& steps) {
  for (std::size_t i = 1; i < steps.size(); ++i) {
    ASSERT_TRUE(naive.hasEdge(steps[i - 1].object, steps[i].object)) << toString(steps[i].object);
    EXPECT_FALSE(steps[i].via.empty());
  }
}

class RootPaths : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(OfShop, RootPaths, testing::Values("shop-8", "shop-9-server", "shop-10-segments"),
                         [](const auto& dump) { return testName(dump.param); });
INSTANTIATE_TEST_SUITE_P(OfExhibits, RootPaths, testing::Values("exhibits-10", "exhibits-11"),
                         [](const auto& dump) { return testName(dump.param); });

TEST_P(RootPaths, TheFirstIsAsLongAsTheObjectIsFar) {
  const engine::Snapshot snapshot = retained(openedDump(GetParam()));
  const NaivePaths naive(snapshot);
  std::size_t unreachable = 0;
  for (std::size_t i = 0; i < naive.objects().size(); i += 7) {
    const Address object = naive.objects()[i];
    const auto list = engine::pathsToRoots(snapshot, object, {.paths = 1}, nullptr, {});
    ASSERT_TRUE(list);
    ASSERT_EQ(list->isReachable, naive.distance(object) != 0) << toString(object);
    ASSERT_EQ(list->paths.empty(), !list->isReachable);
    unreachable += list->paths.empty() ? 1 : 0;
    if (list->paths.empty()) continue;
    const engine::RootPath& path = list->paths.front();
    ASSERT_EQ(path.length, naive.distance(object)) << toString(object);
    ASSERT_EQ(path.steps.size(), path.length);
    EXPECT_EQ(path.steps.back().object, object);
    EXPECT_EQ(path.steps.front().object, snapshot.roots().roots[path.root].object);
    EXPECT_FALSE(path.expression.empty());
    expectWay(naive, path.steps);
  }
  EXPECT_GT(unreachable, 0u);
}

TEST_P(RootPaths, SeveralAreTheShortestFromEachRootedObject) {
  const engine::Snapshot snapshot = retained(openedDump(GetParam()));
  const NaivePaths naive(snapshot);
  std::size_t several = 0;
  for (std::size_t i = 3; i < naive.objects().size(); i += 401) {
    const Address object = naive.objects()[i];
    const auto list = engine::pathsToRoots(snapshot, object, {.paths = 10'000}, nullptr, {});
    ASSERT_TRUE(list);
    ASSERT_TRUE(list->isExhausted);
    std::map<Address, std::uint64_t> lengths;
    std::uint64_t last = 0;
    for (const engine::RootPath& path : list->paths) {
      EXPECT_GE(path.length, last);
      last = path.length;
      EXPECT_TRUE(lengths.try_emplace(path.steps.front().object, path.length).second) << toString(object);
      expectWay(naive, path.steps);
    }
    ASSERT_EQ(lengths, naive.wayLengths(object)) << toString(object);
    several += lengths.size() > 1 ? 1 : 0;
  }
  EXPECT_GT(several, 0u);
}

TEST_P(RootPaths, WithoutStacksNoneBeginsThere) {
  const engine::Snapshot snapshot = retained(openedDump(GetParam()), {.includeStacks = false});
  const NaivePaths naive(snapshot);
  for (std::size_t i = 0; i < naive.objects().size(); i += 53) {
    const auto list = engine::pathsToRoots(snapshot, naive.objects()[i], {}, nullptr, {});
    ASSERT_TRUE(list);
    for (const engine::RootPath& path : list->paths)
      EXPECT_NE(snapshot.roots().roots[path.root].kind, engine::RootKind::Stack);
    EXPECT_EQ(list->isReachable, naive.distance(naive.objects()[i]) != 0);
  }
}

TEST_P(RootPaths, AFewStepsAreShownOfALongOne) {
  const engine::Snapshot snapshot = retained(openedDump(GetParam()));
  const NaivePaths naive(snapshot);
  const auto far =
      std::ranges::max_element(naive.objects(), {}, [&](Address object) { return naive.distance(object); });
  const auto all = engine::pathsToRoots(snapshot, *far, {.paths = 1}, nullptr, {});
  const auto some = engine::pathsToRoots(snapshot, *far, {.paths = 1, .steps = 5}, nullptr, {});
  ASSERT_TRUE(all && some);
  const engine::RootPath& path = some->paths.front();
  ASSERT_GT(path.length, 5u);
  ASSERT_EQ(path.steps.size(), 5u);
  EXPECT_EQ(path.stepsLeftOut, path.length - 5);
  EXPECT_EQ(path.leftOutAfter, 3u);
  EXPECT_EQ(path.expression, all->paths.front().expression);
  EXPECT_EQ(path.steps[2].object, all->paths.front().steps[2].object);
  EXPECT_EQ(path.steps[3].object, all->paths.front().steps[path.length - 2].object);
  EXPECT_EQ(path.steps[3].via, all->paths.front().steps[path.length - 2].via);
}

TEST_P(RootPaths, BetweenTwoObjectsIsTheShortestWay) {
  const engine::Snapshot snapshot = retained(openedDump(GetParam()));
  const NaivePaths naive(snapshot);
  std::size_t ways = 0;
  for (std::size_t i = 0; i < naive.objects().size(); i += 997) {
    // From something that surely leads far to anything.
    const auto held = engine::pathsToRoots(snapshot, naive.objects()[i], {.paths = 1}, nullptr, {});
    ASSERT_TRUE(held);
    if (held->paths.empty() || held->paths.front().length < 3) continue;
    const Address from = held->paths.front().steps[1].object;
    for (const Address to : {naive.objects()[i], naive.objects()[naive.objects().size() - 1 - i], from}) {
      const auto way = engine::pathBetween(snapshot, from, to, 10'000, nullptr, {});
      ASSERT_TRUE(way);
      ASSERT_EQ(way->length, naive.between(from, to)) << toString(from) << " to " << toString(to);
      ways += way->length > 1 ? 1 : 0;
      expectWay(naive, way->steps);
    }
  }
  EXPECT_GT(ways, 3u);
}

TEST_P(RootPaths, ReferrersAreAllEdgesThatLeadThere) {
  const engine::Snapshot snapshot = retained(openedDump(GetParam()));
  const NaivePaths naive(snapshot);
  for (std::size_t i = 0; i < naive.objects().size(); i += 29) {
    const Address object = naive.objects()[i];
    const std::vector<engine::Edge>& expected = naive.referrers(object);
    std::vector<engine::Referrer> read;
    for (std::uint64_t skip = 0;;) {
      const auto page = engine::referrersOf(snapshot, object, skip, 3, nullptr, {});
      ASSERT_TRUE(page);
      ASSERT_EQ(page->total, expected.size()) << toString(object);
      if (page->referrers.empty()) break;
      skip += page->referrers.size();
      read.insert(read.end(), page->referrers.begin(), page->referrers.end());
      if (read.size() >= 30) break;  // one string may have very many
    }
    ASSERT_EQ(read.size(), std::min<std::size_t>(read.size() >= 30 ? read.size() : SIZE_MAX, expected.size()));
    for (std::size_t k = 0; k < read.size(); ++k) {
      EXPECT_EQ(read[k].object, expected[k].from);
      EXPECT_EQ(read[k].offset, expected[k].offset);
      EXPECT_EQ(read[k].kind, expected[k].kind);
      EXPECT_EQ(read[k].isReachable, naive.distance(expected[k].from) != 0);
      EXPECT_FALSE(read[k].via.empty());
    }
  }
}

TEST_P(RootPaths, OfATypeAreMergedWithoutLosingAnObject) {
  const engine::Snapshot snapshot = retained(openedDump(GetParam()));
  const NaivePaths naive(snapshot);
  for (const char* name : {"System.String", "System.Int32[]", "System.Object[]"}) {
    const engine::TypeId type = findType(snapshot, name);
    std::uint64_t reachable = 0;
    std::uint64_t unreachable = 0;
    engine::ObjectFilter filter;
    filter.type = type;
    engine::forEachObject(snapshot, filter, [&](const engine::ObjectRow& row) {
      ++(naive.distance(row.address) ? reachable : unreachable);
      return true;
    });
    const auto merged = engine::mergedPathsOfType(snapshot, type, 1'000'000, nullptr, {});
    ASSERT_TRUE(merged);
    EXPECT_EQ(merged->objects, reachable);
    EXPECT_EQ(merged->unreachable, unreachable);
    std::vector<std::uint64_t> above(merged->nodes.size());
    std::uint64_t held = 0;
    for (std::size_t i = 1; i < merged->nodes.size(); ++i) {
      ASSERT_LT(merged->nodes[i].parent, i);
      ASSERT_FALSE(merged->nodes[merged->nodes[i].parent].isRoot);
      above[merged->nodes[i].parent] += merged->nodes[i].objects;
      if (merged->nodes[i].isRoot) held += merged->nodes[i].objects;
    }
    EXPECT_EQ(held, reachable);
    for (std::size_t i = 0; i < merged->nodes.size(); ++i) {
      const engine::MergedPathNode& node = merged->nodes[i];
      ASSERT_EQ(above[i], node.isRoot ? 0 : node.objects) << node.name;
    }
    const auto few = engine::mergedPathsOfType(snapshot, type, 5, nullptr, {});
    ASSERT_TRUE(few);
    ASSERT_EQ(few->nodes.size(), 5u);
    for (std::size_t i = 0; i < 5; ++i) EXPECT_EQ(few->nodes[i].objects, merged->nodes[i].objects);
  }
}

TEST_P(RootPaths, OfASetAreThoseOfATypeIfItIsAllOfOne) {
  const engine::Snapshot snapshot = retained(openedDump(GetParam()));
  const engine::TypeId type = findType(snapshot, "System.Object[]");
  std::vector<std::uint32_t> objects;
  engine::ObjectFilter filter;
  filter.type = type;
  engine::forEachObject(snapshot, filter, [&](const engine::ObjectRow& row) {
    objects.push_back(row.id.value);
    return true;
  });
  const auto ofType = engine::mergedPathsOfType(snapshot, type, 10'000, nullptr, {});
  const auto ofSet = engine::mergedPathsOfSet(snapshot, objects, 10'000, nullptr, {});
  ASSERT_TRUE(ofType);
  ASSERT_TRUE(ofSet);
  EXPECT_EQ(ofSet->objects, ofType->objects);
  EXPECT_EQ(ofSet->unreachable, ofType->unreachable);
  ASSERT_EQ(ofSet->nodes.size(), ofType->nodes.size());
  for (std::size_t i = 0; i < ofSet->nodes.size(); ++i) {
    const engine::MergedPathNode& node = ofSet->nodes[i];
    EXPECT_EQ(node.name, ofType->nodes[i].name);
    EXPECT_EQ(node.objects, ofType->nodes[i].objects);
    EXPECT_EQ(node.bytes, ofType->nodes[i].bytes);
    if (node.isRoot) continue;
    EXPECT_EQ(node.members.size(), node.holders) << node.name;
    EXPECT_TRUE(std::ranges::is_sorted(node.members));
  }
  const auto ofOne = engine::mergedPathsOfSet(snapshot, {objects.front()}, 10'000, nullptr, {});
  ASSERT_TRUE(ofOne);
  EXPECT_EQ(ofOne->objects + ofOne->unreachable, 1u);
}

TEST(RootPathsOfNothing, FailOrAreEmpty) {
  const engine::Snapshot opened = openedDump("shop-10");
  EXPECT_FALSE(engine::pathsToRoots(opened, opened.segments().front().objects.start, {}, nullptr, {}));
  const engine::Snapshot snapshot = retained(opened);
  const auto none = engine::pathsToRoots(snapshot, Address{0x10}, {}, nullptr, {});
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().error().code, engine::ErrorCode::NotFound);
  EXPECT_FALSE(engine::referrersOf(snapshot, Address{0x10}, 0, 1, nullptr, {}));
  EXPECT_FALSE(engine::pathBetween(snapshot, Address{0x10}, Address{0x20}, 1, nullptr, {}));
  const Address rooted = snapshot.roots().roots.front().object;
  const auto no = engine::pathsToRoots(snapshot, rooted, {.paths = 0}, nullptr, {});
  ASSERT_TRUE(no);
  EXPECT_TRUE(no->paths.empty());
  const auto past = engine::referrersOf(snapshot, rooted, 1ull << 40, 10, nullptr, {});
  ASSERT_TRUE(past);
  EXPECT_TRUE(past->referrers.empty());
}

TEST(RootPathsOfNothing, AreCancelled) {
  const engine::Snapshot snapshot = retained(openedDump("shop-10"));
  std::stop_source stop;
  stop.request_stop();
  const Address rooted = snapshot.roots().roots.front().object;
  const auto paths = engine::pathsToRoots(snapshot, rooted, {}, nullptr, stop.get_token());
  ASSERT_FALSE(paths);
  EXPECT_TRUE(paths.error().isCancelled());
  EXPECT_FALSE(engine::mergedPathsOfType(snapshot, findType(snapshot, "System.String"), 9, nullptr, stop.get_token()));
  EXPECT_TRUE(engine::pathsToRoots(snapshot, rooted, {}, nullptr, {}));
}

TEST(RootPathsOfDamage, AreToldAllTheSame) {
  PatchedCore core("shop-10");
  const engine::Snapshot whole = openSnapshot(core.path(), engine::Stage::Retained);
  // Every reference of some arrays leads into the middle of nothing, or in a circle.
  std::vector<Address> arrays;
  engine::ObjectFilter filter;
  filter.type = findType(whole, "System.Object[]");
  engine::forEachObject(whole, filter, [&](const engine::ObjectRow& row) {
    if (row.sizeBytes >= 40) arrays.push_back(row.address);
    return true;
  });
  for (std::size_t i = 0; i < arrays.size(); ++i) {
    core.write(arrays[i] + 16, i % 2 ? Address{0xdeadbeefdeadbee8} : arrays[i]);
    core.write(arrays[i] + 24, arrays[(i + 1) % arrays.size()]);
  }
  const engine::Snapshot snapshot = openSnapshot(core.path(), engine::Stage::Retained);
  std::uint64_t count = 0;
  engine::forEachObject(snapshot, {}, [&](const engine::ObjectRow& row) {
    if (++count % 37) return true;
    const auto list = engine::pathsToRoots(snapshot, row.address, {}, nullptr, {});
    EXPECT_TRUE(list);
    const auto page = engine::referrersOf(snapshot, row.address, 0, 5, nullptr, {});
    EXPECT_TRUE(page);
    return true;
  });
  EXPECT_GT(count, 1000u);
}

}  // namespace
}  // namespace heapscape::test
