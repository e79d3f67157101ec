// SPDX-License-Identifier: MIT
// What detectors work with, on a heap made by hand: its objects, and groups of them that become insights.
#include "insight/insight_groups.h"

#include <gtest/gtest.h>

#include <array>
#include <numeric>
#include <utility>

#include "insight/detectors/ready_queue.h"
#include "insight/heap_objects.h"
#include "insight/holders.h"
#include "insight/insight_ledger.h"
#include "support/builders/heap_in_memory.h"

namespace heapscape::test {
namespace {

using namespace engine;

using Ids = std::vector<std::uint32_t>;

/// Kept as long as what is made of it.
struct DetectorsView {
  explicit DetectorsView(const HeapInMemory& heap, std::uint64_t minimumBytes = 100) : snapshot(heap.snapshot()) {
    StageProgress progress(nullptr, "", 0, 1);
    auto made = InsightInput::make(snapshot, minimumBytes, progress, {});
    if (!made) throw std::runtime_error("the heap cannot be looked at");
    input = std::move(*made);
  }

  Snapshot snapshot;
  std::unique_ptr<InsightInput> input;
};

/// 0 holds 1, which holds 2 and 3; 4 is held by nothing; 5 is frozen.
struct SmallHeap : HeapInMemory {
  TypeId order = addType("Shop.Order"), line = addType("Shop.Line", 32), lines = addType("Shop.Line[]", 24, 8);

  SmallHeap() {
    for (const TypeId type : {order, lines, line, line, line}) addObject(type, type == lines ? 2 : 0);
    addReference(0, 1);
    addReference(1, 2);
    addReference(1, 3);
    addRoot(RootKind::Static, 0, "static Shop.Cache.order");
    startSegment(Generation::Frozen);
    addObject(line);
  }
};

TEST(InsightInput, HasWhatCanBeReachedAndWhatIsFrozen) {
  const SmallHeap heap;
  const DetectorsView view(heap);
  EXPECT_EQ(view.input->objectsOf(std::vector{heap.line}), (Ids{2, 3, 5}));
  EXPECT_EQ(view.input->objectsOf(std::vector{heap.lines, heap.order}), (Ids{0, 1}));
  EXPECT_TRUE(view.input->objectsOf({}).empty());
  EXPECT_FALSE(view.input->isReachable(4));
  EXPECT_EQ(view.input->bytesOf(1), 40u);
}

TEST(InsightInput, TellsWhoAloneRefersToAnObject) {
  SmallHeap heap;
  heap.addReference(0, 3);
  heap.addRoot(RootKind::StrongHandle, 2, "strong handle");
  const DetectorsView view(heap);
  EXPECT_TRUE(view.input->isHeldOnlyBy(1, 0));
  EXPECT_FALSE(view.input->isHeldOnlyBy(1, 2));
  EXPECT_FALSE(view.input->isHeldOnlyBy(2, 1)) << "a handle refers to it, too";
  EXPECT_FALSE(view.input->isHeldOnlyBy(3, 1)) << "two objects refer to it";
}

TEST(HeapObjects, KnowWhoDominatesWhom) {
  const SmallHeap heap;
  const DetectorsView view(heap);
  const HeapObjects objects(*view.input);
  EXPECT_TRUE(objects.dominates(0, 3));
  EXPECT_TRUE(objects.dominates(3, 3)) << "itself";
  EXPECT_FALSE(objects.dominates(2, 3));
  EXPECT_FALSE(objects.dominates(3, 0));
  EXPECT_FALSE(objects.dominates(4, 4)) << "nothing holds it";
  EXPECT_FALSE(objects.dominates(0, 4));
  EXPECT_EQ(objects.retainedBytesOf(1), 40u + 32 + 32);
  EXPECT_EQ(objects.objectAt(heap.addressOf(2)), 2u);
  EXPECT_EQ(objects.objectAt(heap.addressOf(2) + 8), HeapObjects::kNone) << "within it";
  EXPECT_EQ(objects.rootObjects(), Ids{0});
}

TEST(HeapObjects, FindTypesByTheirNameOrThatOfTheirDefinition) {
  HeapInMemory heap;
  for (const char* name : {"Timer", "Timer<A>", "Timer<B>", "Timer<A>[]", "Timers<A>"})
    heap.addObject(heap.addType(name));
  const DetectorsView view(heap);
  const HeapObjects objects(*view.input);
  EXPECT_EQ(objects.typesNamed("Timer"), (std::vector<TypeId>{{0}}));
  EXPECT_EQ(objects.typesNamed("Timer<"), (std::vector<TypeId>{{1}, {2}})) << "and no arrays of it";
  EXPECT_EQ(objects.typesNamed("Timer<A>[]"), (std::vector<TypeId>{{3}}));
  EXPECT_TRUE(objects.typesNamed("Time").empty());
}

TEST(CostliestItems, AreTheFirstHundredEqualsByAddress) {
  std::vector<InsightItem> items;
  for (std::uint64_t i = 0; i < 150; ++i) items.push_back({Address{1000 - i}, i / 2});
  keepCostliest(items);
  ASSERT_EQ(items.size(), Insight::kMaximumItems);
  EXPECT_EQ(items[0].bytes, 74u);
  EXPECT_EQ(items[0].object, Address{1000 - 149}) << "of two that cost the same";
  EXPECT_EQ(items[99].bytes, 25u);
  std::vector<InsightItem> none;
  keepCostliest(none);
  EXPECT_TRUE(none.empty());
}

TEST(InsightGroup, BecomesAnInsightWithTheCostliestFirst) {
  HeapInMemory heap;
  const TypeId line = heap.addType("Shop.Line");
  const std::uint32_t handles = heap.addGroup("strong handles");
  for (int i = 0; i < 120; ++i) heap.addRoot(RootKind::StrongHandle, heap.addObject(line), "strong handle", handles);
  const DetectorsView view(heap);
  InsightGroup group(line), others(line);
  for (std::uint32_t i = 120; i-- > 60;) group.addAlone(i, 8 * (i % 3));
  for (std::uint32_t i = 0; i < 60; ++i) others.addAlone(i, 8 * (i % 3));
  group.append(others);
  const FoundInsight found =
      group.finish(*view.input, InsightKind::SmallObjects, [](std::uint32_t object) { return std::to_string(object); });
  EXPECT_EQ(found.insight.subject, "Shop.Line");
  EXPECT_EQ(found.insight.bytes, 40u * (8 + 16));
  EXPECT_EQ(found.insight.objects, 120u);
  Ids all(120);
  std::iota(all.begin(), all.end(), 0u);
  EXPECT_EQ(found.insight.ids, all) << "ascending";
  ASSERT_EQ(found.insight.items.size(), Insight::kMaximumItems);
  EXPECT_EQ(found.insight.items[0].text, "2");
  EXPECT_EQ(found.insight.items[0].bytes, 16u);
  EXPECT_EQ(found.insight.items[40].text, "1");
  EXPECT_EQ(found.insight.items[80].text, "0");
  std::uint64_t claimed = 0;
  for (const Claim& claim : found.claims) claimed += std::uint64_t{claim.units} * 8;
  EXPECT_EQ(claimed, found.insight.bytes);
  ASSERT_EQ(found.insight.owners.size(), 1u);
  EXPECT_EQ(found.insight.owners[0].bytes, found.insight.bytes);
}

TEST(GroupsByType, AreListedFromTheThresholdOnAndCountedBelow) {
  const SmallHeap heap;
  const DetectorsView view(heap, 100);
  std::array<GroupsByType, 2> parts;
  parts[0].of(*view.input, heap.line, 2).addAlone(2, 60);
  parts[1].of(*view.input, heap.line, 3).addAlone(3, 40);
  parts[1].of(*view.input, heap.order, 0).addAlone(0, 96);
  GroupsByType groups = GroupsByType::join(parts);
  groups.of(*view.input, heap.lines, 1).addAlone(1, 0);  // nothing to win
  FoundInsights found;
  const auto describe = [](Insight& insight, const InsightGroup& group) {
    insight.title = std::to_string(group.objects()) + " objects";
  };
  groups.finish(*view.input, InsightKind::SmallObjects, describe, found);
  ASSERT_EQ(found.insights.size(), 1u);
  EXPECT_EQ(found.insights[0].insight.subject, "Shop.Line");
  EXPECT_EQ(found.insights[0].insight.title, "2 objects");
  EXPECT_EQ(found.insights[0].insight.bytes, 100u);
  EXPECT_EQ(found.smallInsights, 1u);
  EXPECT_EQ(found.smallBytes, 96u);
}

TEST(GroupsByType, KeepApartWhatTheFrameworkHolds) {
  HeapInMemory heap;
  const TypeId text = heap.addType("System.String", 24, 0, "System.Private.CoreLib.dll");
  for (const char* name : {"thread 1: static System.Console.s_out", "thread 1: static Shop.Cache.text"})
    heap.addRoot(RootKind::ThreadStatic, heap.addObject(text), name);
  const DetectorsView view(heap);
  GroupsByType groups;
  EXPECT_TRUE(groups.of(*view.input, text, 0).isFramework());
  EXPECT_FALSE(groups.of(*view.input, text, 1).isFramework());
  EXPECT_EQ(&groups.of(*view.input, text, 0), &groups.of(*view.input, text, 0));
}

TEST(ReadyQueue, IsWhatOnlyTheFinalizersQueueHolds) {
  SmallHeap heap;  // 0 is held by a static
  const std::uint32_t statics = heap.addGroup("Statics"), queue = heap.addGroup("Ready"),
                      other = heap.addGroup("Other");
  const std::uint32_t first = heap.addObject(heap.order), second = heap.addObject(heap.order);
  const std::uint32_t shared = heap.addObject(heap.line), behind = heap.addObject(heap.line);
  const std::uint32_t handled = heap.addObject(heap.order);
  heap.addRoot(RootKind::Static, 0, "static Shop.Cache.order", statics);
  for (const std::uint32_t object : {first, second}) {
    heap.addRoot(RootKind::FinalizerReady, object, "ready", queue);
    heap.addReference(object, shared);
  }
  heap.addReference(first, 0);  // held elsewhere, too
  heap.addReference(second, behind);
  heap.addRoot(RootKind::StrongHandle, handled, "strong handle", other);
  const DetectorsView view(heap);
  const HeapObjects objects(*view.input);
  const ReadyQueue ready(objects);
  Ids tops = ready.tops();
  std::ranges::sort(tops);
  EXPECT_EQ(tops, (Ids{first, second, shared}));
  for (const std::uint32_t object : {first, second, shared, behind})
    EXPECT_TRUE(ready.contains(objects.tree().numberOf(object))) << object;
  for (const std::uint32_t object : {0u, 1u, handled}) EXPECT_FALSE(ready.contains(objects.tree().numberOf(object)));

  const DetectorsView nothingReady{SmallHeap()};
  const HeapObjects others(*nothingReady.input);
  EXPECT_TRUE(ReadyQueue(others).tops().empty());
  EXPECT_FALSE(ReadyQueue(others).contains(1));
}

TEST(InexactHolding, IsOfWhatOnlyWordsOfStacksLeadTo) {
  SmallHeap heap;
  const DetectorsView exact(heap);
  EXPECT_TRUE(InexactHolding(exact.input->contents).objects().empty());
  const std::uint32_t doubtful = heap.addObject(heap.order), below = heap.addObject(heap.line);
  heap.addReference(doubtful, below);
  heap.addReference(doubtful, 3);  // certain all the same
  heap.addRoot(RootKind::Stack, doubtful, "thread 1", RootGroup::kNone, false);
  const DetectorsView view(heap);
  const InexactHolding holding(view.input->contents);
  EXPECT_EQ(holding.objects(), (Ids{doubtful, below}));
  EXPECT_TRUE(holding.isOnlyInexact(doubtful));
  EXPECT_TRUE(holding.isOnlyInexact(below));
  EXPECT_FALSE(holding.isOnlyInexact(3));
  EXPECT_FALSE(holding.isOnlyInexact(4)) << "nothing holds it at all";
  FoundInsight found;
  EXPECT_FALSE(holding.isOnlyInexact(found)) << "about no object";
  found.claims = {{below, 4}};
  found.dominating = {doubtful};
  EXPECT_TRUE(holding.isOnlyInexact(found));
  found.claims.push_back({3, 4});
  EXPECT_FALSE(holding.isOnlyInexact(found)) << "some of it is certain";
}

TEST(HeldByStacks, IsWhatNothingElseKeeps) {
  HeapInMemory heap;
  const TypeId type = heap.addType("Shop.Order");
  const std::uint32_t stack = heap.addGroup(kStackGroup, heap.addGroup("thread 1", heap.addGroup("Threads")));
  for (int i = 0; i < 5; ++i) heap.addObject(type);
  heap.addReference(0, 1);
  heap.addReference(2, 1);
  heap.addRoot(RootKind::Stack, 0, "thread 1: Main, a", stack);
  heap.addRoot(RootKind::Stack, 2, "thread 1: Main, b", stack);
  heap.addRoot(RootKind::Static, 3, "static Shop.Cache.order");
  const DetectorsView view(heap);
  const HeapObjects objects(*view.input);
  EXPECT_TRUE(isHeldByStacksAlone(objects, 0));
  EXPECT_TRUE(isHeldByStacksAlone(objects, 1)) << "by two words of it";
  EXPECT_FALSE(isHeldByStacksAlone(objects, 3));
  EXPECT_FALSE(isHeldByStacksAlone(objects, 4)) << "garbage";
}

}  // namespace
}  // namespace heapscape::test
