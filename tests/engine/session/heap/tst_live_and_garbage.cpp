// SPDX-License-Identifier: MIT
// What of the heap is live and what is garbage, by its parts, and the dominators of garbage.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "session/dominators/dominators_query.h"
#include "session/objects/object_query.h"
#include "session/objects/retained_query.h"
#include "session/open/garbage_tree.h"
#include "session/open/retained_stage.h"
#include "session/types/type_query.h"
#include "support/builders/heap_in_memory.h"
#include "support/opened_snapshot.h"

namespace heapscape::test {
namespace {

using engine::Address;
using engine::RetainedTotals;
using engine::Snapshot;
using engine::Stage;
using engine::TypeId;

class LiveAndGarbage : public testing::TestWithParam<std::string> {
 protected:
  Snapshot snapshot() const {
    auto seen = engine::addRetained(openedDump(GetParam()), {}, nullptr, {});
    EXPECT_TRUE(seen);
    return *seen;
  }

  static void add(RetainedTotals& to, std::uint64_t bytes, bool isLive, bool isFrozen) {
    ++(isLive ? to.reachableObjects : to.unreachableObjects);
    (isLive ? to.reachableBytes : to.unreachableBytes) += bytes;
    if (isLive || !isFrozen) return;
    ++to.frozenObjects;
    to.frozenBytes += bytes;
  }
};
INSTANTIATE_TEST_SUITE_P(OfDumps, LiveAndGarbage,
                         testing::Values("shop-10", "shop-8-server", "shop-10-segments", "shop-11", "flaws-10",
                                         "aot/zoo-10"),
                         [](const auto& dump) {
                           std::string name = testName(dump.param);
                           std::ranges::replace(name, '/', '_');
                           return name;
                         });

TEST_P(LiveAndGarbage, AddUpObjectByObjectInEveryPartOfTheHeap) {
  const Snapshot open = snapshot();
  RetainedTotals all;
  std::vector<RetainedTotals> segments(open.segments().size()), generations(open.generations().size());
  std::map<std::uint32_t, RetainedTotals> types;
  engine::forEachObject(open, {}, [&](const engine::ObjectRow& row) {
    if (open.types()[row.type.value].isFree) return true;
    const auto retained = engine::retainedOf(open, row.address);
    const bool isLive = retained->isReachable;
    const bool isFrozen = row.generation == engine::Generation::Frozen;
    EXPECT_EQ(retained->isGarbage, !isLive && !isFrozen);
    std::size_t segment = 0;
    while (!open.segments()[segment].objects.contains(row.address)) ++segment;
    std::size_t generation = 0;
    while (open.generations()[generation].heap != open.segments()[segment].heap ||
           open.generations()[generation].generation != open.segments()[segment].generationOf(row.address))
      ++generation;
    for (RetainedTotals* part : {&all, &segments[segment], &generations[generation], &types[row.type.value]})
      add(*part, row.alignedBytes, isLive, isFrozen);
    return true;
  });
  EXPECT_GT(all.garbageBytes(), 0u) << "else this tests little";
  EXPECT_EQ(all.reachableBytes + all.frozenBytes + all.garbageBytes(), open.totals().bytes - open.totals().freeBytes);
  EXPECT_EQ(open.retainedTotals(), all);
  EXPECT_EQ(open.segmentReach(), segments);
  EXPECT_EQ(open.generationReach(), generations);
  for (const auto& [type, reach] : types) EXPECT_EQ(open.typeReach({type}), reach) << open.typeName({type});
}

TEST_P(LiveAndGarbage, FrozenObjectsAreNeverGarbage) {
  const Snapshot open = snapshot();
  for (std::size_t i = 0; i < open.generations().size(); ++i) {
    const RetainedTotals& reach = open.generationReach()[i];
    if (open.generations()[i].generation == engine::Generation::Frozen) {
      EXPECT_EQ(reach.garbageBytes(), 0u);
      EXPECT_EQ(reach.frozenBytes, reach.unreachableBytes);
    } else {
      EXPECT_EQ(reach.frozenObjects, 0u);
    }
  }
}

TEST_P(LiveAndGarbage, AreCountedByTypeInAPartOfTheHeapAsWell) {
  const Snapshot open = snapshot();
  engine::HeapScope scope;
  scope.maximumBytes = 63;
  const auto counts = engine::countTypes(open, scope, {});
  ASSERT_TRUE(counts);
  std::map<std::uint32_t, std::uint64_t> expected;
  engine::forEachObject(open, {}, [&](const engine::ObjectRow& row) {
    if (row.sizeBytes <= 63 && engine::retainedOf(open, row.address)->isGarbage)
      expected[row.type.value] += row.alignedBytes;
    return true;
  });
  for (std::uint32_t type = 0; type < open.types().size(); ++type) {
    if (open.types()[type].isFree) continue;
    EXPECT_EQ(engine::garbageBytesOf(open, *counts, {type}), expected[type]) << open.typeName({type});
  }
}

TEST_P(LiveAndGarbage, GarbageHasADominatorTreeOfItsOwn) {
  const Snapshot open = snapshot();
  const auto garbage = engine::seenFromGarbage(open, nullptr, {});
  ASSERT_TRUE(garbage);
  EXPECT_TRUE(engine::isSeenFromGarbage(*garbage));
  EXPECT_FALSE(engine::isSeenFromGarbage(open));
  EXPECT_EQ(garbage->retainedTotals(), open.retainedTotals()) << "totals are those of the heap";
  const auto whole = engine::wholeOf(*garbage, engine::DominatorGrouping::Object, {});
  ASSERT_TRUE(whole);
  EXPECT_EQ(whole->name, "garbage");
  EXPECT_EQ(whole->retainedBytes, open.retainedTotals().garbageBytes());
  EXPECT_EQ(whole->retainedCount, open.retainedTotals().garbageObjects());
  // Objects stand right below it, and what they retain is all of it.
  const auto page = engine::dominatedBy(*garbage, engine::DominatorGrouping::Object, 0, 0, SIZE_MAX, {});
  ASSERT_TRUE(page);
  std::uint64_t bytes = 0;
  for (const engine::DominatorNode& node : page->nodes) {
    EXPECT_EQ(node.kind, engine::DominatorKind::Object);
    EXPECT_TRUE(engine::retainedOf(open, node.object)->isGarbage);
    bytes += node.retainedBytes;
  }
  EXPECT_EQ(bytes, whole->retainedBytes);
  for (std::uint32_t type = 0; type < open.types().size(); ++type) {
    if (!open.types()[type].isFree) {
      EXPECT_EQ(garbage->typeRetained()[type].bytes, open.typeReach({type})->garbageBytes());
    }
  }
}

/// A dead list of three whose last one refers to something live, two that hold each other, and a live one.
class DeadList : public testing::Test {
 protected:
  void SetUp() override {
    const TypeId node = m_heap.addType("Node", 32);
    for (std::uint32_t& each : m_list) each = m_heap.addObject(node);
    for (std::uint32_t& each : m_ring) each = m_heap.addObject(node);
    m_live = m_heap.addObject(node);
    m_heap.addReference(m_list[0], m_list[1]);
    m_heap.addReference(m_list[1], m_list[2]);
    m_heap.addReference(m_list[2], m_live);
    m_heap.addReference(m_ring[0], m_ring[1]);
    m_heap.addReference(m_ring[1], m_ring[0]);
    m_heap.addRoot(engine::RootKind::Static, m_live, "static Program.live");
  }

  HeapInMemory m_heap;
  std::array<std::uint32_t, 3> m_list{};
  std::array<std::uint32_t, 2> m_ring{};
  std::uint32_t m_live = 0;
};

TEST_F(DeadList, IsOnTopOfWhatItRetainsAndHoldsNothingLive) {
  const auto garbage = engine::seenFromGarbage(m_heap.snapshot(), nullptr, {});
  ASSERT_TRUE(garbage);
  const auto page = engine::dominatedBy(*garbage, engine::DominatorGrouping::Object, 0, 0, SIZE_MAX, {});
  ASSERT_TRUE(page);
  ASSERT_EQ(page->nodes.size(), 2u);
  EXPECT_EQ(page->nodes[0].object, m_heap.addressOf(m_list[0]));
  EXPECT_EQ(page->nodes[0].retainedBytes, 3 * 32u);
  EXPECT_EQ(page->nodes[1].object, m_heap.addressOf(m_ring[0]));
  EXPECT_EQ(page->nodes[1].retainedBytes, 2 * 32u);
  const auto last = engine::retainedOf(*garbage, m_heap.addressOf(m_list[2]));
  ASSERT_TRUE(last);
  EXPECT_EQ(last->dominator, m_heap.addressOf(m_list[1]));
  EXPECT_FALSE(engine::retainedOf(*garbage, m_heap.addressOf(m_live))->isReachable);
}

TEST_F(DeadList, IsFreedAsASetOfObjects) {
  const auto garbage = engine::seenFromGarbage(m_heap.snapshot(), nullptr, {});
  ASSERT_TRUE(garbage);
  const std::vector<std::uint32_t> both{m_list[1], m_ring[0]};
  const auto set = engine::dominatorNodeOfSet(*garbage, engine::DominatorGrouping::Object, both, nullptr, {});
  ASSERT_TRUE(set && *set);
  EXPECT_EQ((*set)->retainedBytes, 4 * 32u);
}

TEST_F(DeadList, NeedsToBeKnownToBeDead) {
  const auto early = engine::seenFromGarbage(openedDump("shop-10"), nullptr, {});
  ASSERT_FALSE(early);
  EXPECT_EQ(early.error().error().code, engine::ErrorCode::NotFound);
}

}  // namespace
}  // namespace heapscape::test
