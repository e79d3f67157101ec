// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <unordered_map>

#include "session/objects/object_query.h"
#include "session/objects/retained_query.h"
#include "session/open/retained_stage.h"
#include "session/references/reference_query.h"
#include "session/roots/roots_query.h"
#include "session/roots/statics_query.h"
#include "support/opened_snapshot.h"
#include "support/truth.h"

namespace heapscape::test {
namespace {

using engine::Address;

/// The heap as a plain graph, and what can be reached in it: simple.
class NaiveHeap {
 public:
  explicit NaiveHeap(const engine::Snapshot& snapshot) {
    engine::forEachObject(snapshot, {}, [&](const engine::ObjectRow& row) {
      if (snapshot.types()[row.type.value].isFree) return true;
      m_numbers.emplace(row.address, m_bytes.size());
      m_bytes.push_back(row.alignedBytes);
      return true;
    });
    m_edges.resize(m_bytes.size());
    engine::forEachEdge(snapshot, [&](const engine::Edge& edge) {
      m_edges.at(m_numbers.at(edge.from)).push_back(m_numbers.at(edge.to));
      return true;
    });
  }

  struct Reached {
    std::uint64_t objects = 0;
    std::uint64_t bytes = 0;
    bool operator==(const Reached&) const = default;
  };

  Reached reachWithout(const std::vector<Address>& roots, Address without) const {
    std::vector<bool> seen(m_bytes.size());
    if (const auto left = m_numbers.find(without); left != m_numbers.end()) seen[left->second] = true;
    std::vector<std::size_t> waiting;
    const auto visit = [&](std::size_t object) {
      if (!seen[object]) waiting.push_back(object);
      seen[object] = true;
    };
    for (const Address root : roots)
      if (const auto object = m_numbers.find(root); object != m_numbers.end()) visit(object->second);
    Reached reached;
    while (!waiting.empty()) {
      const std::size_t object = waiting.back();
      waiting.pop_back();
      ++reached.objects;
      reached.bytes += m_bytes[object];
      for (const std::size_t target : m_edges[object]) visit(target);
    }
    return reached;
  }

  std::uint64_t objects() const { return m_bytes.size(); }

 private:
  std::unordered_map<Address, std::size_t> m_numbers;
  std::vector<std::uint64_t> m_bytes;
  std::vector<std::vector<std::size_t>> m_edges;
};

class Retained : public testing::TestWithParam<std::string> {
 protected:
  const engine::Snapshot& snapshot() const { return openedDump(GetParam()); }

  /// Seen from all roots, or from those given.
  engine::Snapshot retained(const engine::RootOptions& roots = {}) const {
    auto seen = engine::addRetained(snapshot(), {.roots = roots}, nullptr, {});
    EXPECT_TRUE(seen);
    return *seen;
  }

  std::vector<Address> roots() const {
    const auto list = engine::listRoots(snapshot(), {}, {});
    EXPECT_TRUE(list);
    std::vector<Address> objects;
    for (const engine::RootRow& root : list->roots) objects.push_back(root.object);
    return objects;
  }

  void expectWhatIsLostWithout(const engine::RetainedList& list, const std::vector<Address>& all) const {
    const NaiveHeap heap(snapshot());
    const NaiveHeap::Reached whole = heap.reachWithout(all, {});
    EXPECT_EQ(list.totals.reachableObjects, whole.objects);
    EXPECT_EQ(list.totals.reachableBytes, whole.bytes);
    EXPECT_EQ(list.totals.unreachableObjects, heap.objects() - whole.objects);
    ASSERT_EQ(list.objects.size(), whole.objects);
    // The largest, where mistakes add up, and some of all the others.
    for (std::size_t i = 0; i < list.objects.size(); i += i < 60 ? 1 : 397) {
      const engine::RetainedRow& row = list.objects[i];
      const NaiveHeap::Reached without = heap.reachWithout(all, row.object);
      ASSERT_EQ(row.retainedBytes, whole.bytes - without.bytes) << toString(row.object);
      ASSERT_EQ(row.retainedCount, whole.objects - without.objects) << toString(row.object);
    }
  }
};

INSTANTIATE_TEST_SUITE_P(OfShop, Retained,
                         testing::Values("shop-8", "shop-9-server", "shop-10", "shop-11", "shop-10-segments"),
                         [](const auto& dump) { return testName(dump.param); });

constexpr std::size_t kAllObjects = 40'000;

TEST_P(Retained, IsWhatCannotBeReachedWithoutTheObject) {
  expectWhatIsLostWithout(engine::largestRetained(retained(), kAllObjects), roots());
}

TEST_P(Retained, IsTheSameForTheSameRootsWhenTheyAreGiven) {
  const std::vector<Address> all = roots();
  expectWhatIsLostWithout(engine::largestRetained(retained({.only = all}), kAllObjects), all);
}

TEST_P(Retained, FollowsTheRootsThatAreGiven) {
  const NaiveHeap heap(snapshot());
  std::vector<Address> some = roots();
  some.resize(5);
  some.push_back(Address{0x10});  // no object
  const engine::RetainedList list = engine::largestRetained(retained({.only = some}), 10);
  EXPECT_EQ(list.totals.reachableBytes, heap.reachWithout(some, {}).bytes);
  EXPECT_LE(list.objects.size(), 10u);
}

TEST_P(Retained, ByAGroupIsNoLessThanByItsRoots) {
  const engine::Snapshot seen = retained();
  const engine::RootList& list = seen.roots();
  std::vector<std::uint64_t> ofChildren(list.groups.size());
  std::uint64_t ofTops = 0;
  for (std::uint32_t i = 0; i < list.roots.size(); ++i)
    ofChildren.at(list.roots[i].group) += engine::retainedByRoot(seen, i).bytes;
  for (std::uint32_t i = static_cast<std::uint32_t>(list.groups.size()); i-- > 0;) {
    const std::uint64_t bytes = engine::retainedByGroup(seen, i).bytes;
    EXPECT_GE(bytes, ofChildren[i]) << list.groups[i].name;
    (list.groups[i].parent == engine::RootGroup::kNone ? ofTops : ofChildren[list.groups[i].parent]) += bytes;
  }
  EXPECT_GT(ofTops, 0u);
  EXPECT_LE(ofTops, seen.retainedTotals().reachableBytes);
}

TEST_P(Retained, ByAStaticIsWhatTheFieldHoldsThoughTheRuntimesArrayHoldsItToo) {
  const engine::Snapshot seen = retained({.includeStacks = false});
  const auto& list = seen.roots().roots;
  std::uint64_t bytes = 0;
  for (std::uint32_t i = 0; i < list.size(); ++i) {
    if (list[i].name == "static Shop.Statics.text") bytes = engine::retainedByRoot(seen, i).bytes;
  }
  EXPECT_GT(bytes, 0u);
}

TEST_P(Retained, OfASetIsWhatCannotBeReachedWithoutIt) {
  const engine::Snapshot seen = retained();
  const engine::RetainedList list = engine::largestRetained(seen, 50);
  for (const engine::RetainedRow& row : list.objects) {
    const auto alone = engine::retainedOfSet(seen, {.objects = {row.object}}, nullptr, {});
    ASSERT_TRUE(alone);
    EXPECT_EQ(alone->retained.bytes, row.retainedBytes);
    EXPECT_EQ(alone->retained.objects, row.retainedCount);
    EXPECT_EQ(alone->members.bytes, row.bytes);
  }
  for (std::size_t i = 0; i < 10; ++i) {
    const auto ofType = engine::retainedOfSet(seen, {.types = {list.types[i].type}}, nullptr, {});
    ASSERT_TRUE(ofType);
    EXPECT_EQ(ofType->members.objects, list.types[i].instances);
    EXPECT_EQ(ofType->members.bytes, list.types[i].bytes);
    EXPECT_GE(ofType->retained.bytes, list.types[i].retainedBytes);
  }
}

TEST_P(Retained, OfATypeCountsNestedInstancesOnce) {
  const engine::RetainedList computed = engine::largestRetained(retained(), kAllObjects);
  const engine::RetainedList* list = &computed;
  std::map<engine::TypeId, engine::RetainedTypeRow> byType;
  for (const engine::RetainedTypeRow& row : list->types) byType[row.type] = row;
  std::unordered_map<Address, const engine::RetainedRow*> rowOf;
  for (const engine::RetainedRow& row : list->objects) rowOf[row.object] = &row;
  std::map<engine::TypeId, engine::RetainedTypeRow> expected;
  for (const engine::RetainedRow& row : list->objects) {
    engine::RetainedTypeRow& type = expected[row.type];
    ++type.instances;
    type.bytes += row.bytes;
    bool isNested = false;
    for (Address up = row.dominator; up && !isNested; up = rowOf.at(up)->dominator)
      isNested = rowOf.at(up)->type == row.type;
    if (!isNested) type.retainedBytes += row.retainedBytes;
  }
  ASSERT_EQ(byType.size(), expected.size());
  for (const auto& [type, row] : expected) {
    EXPECT_EQ(byType[type].instances, row.instances) << snapshot().types()[type.value].name;
    EXPECT_EQ(byType[type].bytes, row.bytes);
    EXPECT_EQ(byType[type].retainedBytes, row.retainedBytes) << snapshot().types()[type.value].name;
  }
}

TEST_P(Retained, KnowsEachStaticByItsName) {
  const auto list = engine::listRoots(snapshot(), {.includeStacks = false}, {});
  ASSERT_TRUE(list);
  std::set<std::string> names;
  for (const engine::RootRow& root : list->roots) {
    EXPECT_TRUE(root.isExact);
    names.insert(root.name);
  }
  EXPECT_TRUE(names.contains("static Shop.Statics.text"));
  EXPECT_TRUE(names.contains("static Shop.Box<System.String>.Default"));
  EXPECT_TRUE(names.contains("strong handle"));
}

TEST_P(Retained, KeepsWhatOnlyAStackHolds) {
  const auto with = engine::listRoots(snapshot(), {}, {});
  ASSERT_TRUE(with);
  int onStacks = 0;
  for (const engine::RootRow& root : with->roots) {
    if (root.kind != engine::RootKind::Stack) continue;
    ++onStacks;
    EXPECT_TRUE(root.isExact) << root.name;
    EXPECT_TRUE(root.name.starts_with("thread ")) << root.name;
    EXPECT_TRUE(engine::objectAt(snapshot(), root.object));
  }
  EXPECT_GT(onStacks, 20);
}

TEST(InexactRoots, StandInForFramesThatAreNotKnownAndAreLeftOutByOneSwitch) {
  for (const char* dump : {"stacks-8", "stacks-10"}) {
    const engine::Snapshot& snapshot = openedDump(dump);
    const auto all = engine::listRoots(snapshot, {}, {});
    const auto exact = engine::listRoots(snapshot, {.includeInexact = false}, {});
    ASSERT_TRUE(all && exact);
    std::set<std::string> inexactThreads;
    std::size_t inexact = 0;
    for (const engine::RootRow& root : all->roots) {
      if (root.isExact) continue;
      ++inexact;
      inexactThreads.insert(root.name.substr(0, root.name.find(':')));
      EXPECT_EQ(all->groups[root.group].name, engine::kInexactStackGroup);
    }
    EXPECT_GT(inexact, 0u) << dump;
    // Of more than fifty: one is in a prologue, others lack a page of what was compiled ahead of time.
    EXPECT_LE(inexactThreads.size(), 3u) << dump;
    EXPECT_EQ(exact->roots.size(), all->roots.size() - inexact);
    for (const engine::RootRow& root : exact->roots) EXPECT_TRUE(root.isExact) << root.name;
  }
}

TEST_P(Retained, StopsWhenAsked) {
  std::stop_source stop;
  stop.request_stop();
  EXPECT_FALSE(engine::addRetained(snapshot(), {}, nullptr, stop.get_token()));
}

}  // namespace
}  // namespace heapscape::test
