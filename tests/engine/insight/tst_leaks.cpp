// SPDX-License-Identifier: MIT
// Leaks that the sample program planted: not how much they are, which the list of what it planted tells, but what is
// said of them, and that their innocent twins are not among them.
#include <gtest/gtest.h>

#include <algorithm>

#include "engine/insight/flawed_heap.h"
#include "insight/detectors/async_machines.h"
#include "session/objects/object_query.h"
#include "session/objects/retained_query.h"
#include "session/snapshot/contents.h"
#include "support/dump_path.h"
#include "support/opened_snapshot.h"
#include "support/truth.h"

namespace heapscape::test {
namespace {

using namespace engine;

class PlantedLeaks : public testing::TestWithParam<std::string> {
 protected:
  const InsightList& list() const { return insightsOf(GetParam()); }
  const Insight& find(InsightKind kind, const std::string& subject) const {
    static const Insight kNone{};
    const Insight* insight = findInsight(list(), kind, subject);
    EXPECT_TRUE(insight) << subject;
    return insight ? *insight : kNone;
  }
  std::size_t count(InsightKind kind) const {
    return static_cast<std::size_t>(std::ranges::count(list().insights, kind, &Insight::kind));
  }
};

INSTANTIATE_TEST_SUITE_P(OfFlaws, PlantedLeaks,
                         testing::Values("flaws-8", "flaws-9", "flaws-10", "flaws-11", "flaws-suspended-11"),
                         [](const auto& dump) { return testName(dump.param); });

TEST_P(PlantedLeaks, OfEventsNameTheEventAndTheMethod) {
  const Insight& leak = find(InsightKind::DelegateLeak, "static Flaws.LeakByEvent.Placed → Flaws.LeakByEvent+View");
  EXPECT_EQ(leak.meaning, InsightMeaning::Leak);
  EXPECT_EQ(leak.objects, 200u);
  EXPECT_EQ(factOf(leak, "Method"), "Flaws.LeakByEvent+View.OnPlaced");
  ASSERT_EQ(leak.items.size(), Insight::kMaximumItems);
  EXPECT_EQ(leak.items.front().text, "Flaws.LeakByEvent+View.OnPlaced");
  EXPECT_EQ(leak.items.front().bytes, delegateBytes(GetParam()) + 24u + 1024u);  // delegate, view, pixels
  ASSERT_FALSE(leak.path.empty());
  EXPECT_EQ(leak.path.front(), "static Flaws.LeakByEvent.Placed");
  EXPECT_EQ(leak.owners.front().kind, InsightOwner::Kind::Static);
}

TEST_P(PlantedLeaks, OfEventsOfObjectsNameTheField) {
  const auto isClosure = [](const Insight& insight) {
    return insight.subject.starts_with("Flaws.LeakByEvent+Bus.Changed → Flaws.LeakByEvent+<>c__DisplayClass");
  };
  const auto leak = std::ranges::find_if(list().insights, isClosure);
  ASSERT_NE(leak, list().insights.end());
  EXPECT_EQ(leak->owners.front().name, "Flaws.LeakByEvent+Bus");
  EXPECT_EQ(leak->path.front(), "static Flaws.LeakByEvent.bus");
}

TEST_P(PlantedLeaks, OfEventsLeaveOutWhoIsInUseAndTheListOfOthers) {
  EXPECT_EQ(count(InsightKind::DelegateLeak), 3u);
  const Insight& leak = find(InsightKind::DelegateLeak, "static Flaws.LeakByEvent.Returned → Flaws.LeakByEvent+Window");
  EXPECT_EQ(leak.bytes, 50u * (delegateBytes(GetParam()) + 24 + 624));
}

TEST_P(PlantedLeaks, OfTimersLeaveOutThoseThatCanBeStopped) {
  EXPECT_EQ(count(InsightKind::TimerLeak), 2u);
  EXPECT_EQ(find(InsightKind::TimerLeak, "Flaws.LeakByTimer+Clock.Strike").meaning, InsightMeaning::Held);
  const Insight& leak = find(InsightKind::TimerLeak, "Flaws.LeakByTimer+Poller.Tick");
  EXPECT_EQ(leak.meaning, InsightMeaning::Leak);
  EXPECT_EQ(leak.objects, 50u);
  EXPECT_EQ(factOf(leak, "Period"), "3600000 ms");
  EXPECT_EQ(leak.items.front().text, "Flaws.LeakByTimer+Poller");
}

TEST_P(PlantedLeaks, OfUndisposedObjectsCountWhatBelongsToThemWithThem) {
  const Insight& leak = find(InsightKind::UndisposedFinalizables, "Flaws.LeakByFinalizers+Connection");
  EXPECT_EQ(leak.objects, 150u);
  EXPECT_EQ(leak.items.front().bytes, 32u + 528u + 24u);  // connection, buffer, channel
  EXPECT_EQ(leak.owners.front().kind, InsightOwner::Kind::Unreachable);
  EXPECT_FALSE(findInsight(list(), InsightKind::UndisposedFinalizables, "Flaws.LeakByFinalizers+Channel"));
}

/// Their segments, as if the last collection had left them in gen1.
class OlderHeap : public DamagedHeap {
 protected:
  void promoteGen0() {
    const Snapshot snapshot = open();
    const ClrRuntime& runtime = snapshot.contents().readers->runtime;
    const Address variables = runtime.globalPointer("GcDacVars").value();
    const Address table = runtime.pointerAt(variables, "GcDacVars", "GenerationTable").value();
    const Address offsets = runtime.pointerAt(variables, "GcDacVars", "GenerationFieldOffsets").value();
    const std::uint64_t index = runtime.contract().offset("GenerationFieldOffsetsIndex", "StartSegment");
    const Address gen0 = table + m_core.read<std::uint32_t>(offsets + 4 * index);
    const Address gen1 = gen0 + runtime.valueAt<std::uint64_t>(variables, "GcDacVars", "GenerationSize").value();
    const auto first = m_core.read<Address>(gen0), second = m_core.read<Address>(gen1);
    m_core.write(gen0, second);
    m_core.write(gen1, first);
  }
};

TEST_P(PlantedLeaks, OfUndisposedObjectsInGen0AreCommonGarbage) {
  const Insight& dropped = find(InsightKind::UndisposedFinalizables, "Flaws.LeakByFinalizers+Connection");
  EXPECT_EQ(dropped.meaning, InsightMeaning::Held);
  EXPECT_NE(dropped.title.find("dropped in gen0"), std::string::npos) << dropped.title;
  const InsightList alone =
      lookFor(openSnapshot(dumpPath(GetParam()), Stage::Retained), {InsightKind::UndisposedFinalizables});
  // From .NET 11 on a handle of a thread that has ended waits for its finalizer.
  EXPECT_EQ(alone.leakBytes, GetParam().ends_with("-11") ? 32u : 0u);
}

TEST_F(OlderHeap, UndisposedObjectsThatACollectionHasPassedByAreALeak) {
  promoteGen0();
  const InsightList list = lookFor(open(), {InsightKind::UndisposedFinalizables});
  const Insight* leak = findInsight(list, InsightKind::UndisposedFinalizables, "Flaws.LeakByFinalizers+Connection");
  ASSERT_TRUE(leak);
  EXPECT_EQ(leak->meaning, InsightMeaning::Leak);
  EXPECT_EQ(leak->objects, 150u);
  EXPECT_EQ(list.leakBytes, leak->bytes);
}

TEST_P(PlantedLeaks, OfTheFinalizerNameTheLockThatItWaitsFor) {
  const Insight& leak = find(InsightKind::FinalizerBehind, "finalizer thread");
  EXPECT_EQ(leak.objects, GetParam().ends_with("-11") ? 121u : 120u);
  EXPECT_TRUE(factOf(leak, "The finalizer thread waits for").starts_with("System.Object at 0x"));
  EXPECT_TRUE(factOf(leak, "Which is held by").starts_with("thread "));
  EXPECT_TRUE(factOf(leak, "The finalizer thread").starts_with("waits in Monitor.Enter"));
  EXPECT_EQ(factOf(leak, "It runs"), "Flaws.LeakByFinalizers+Stubborn.Finalize()");
  EXPECT_TRUE(factOf(leak, "In hand").starts_with("Flaws.LeakByFinalizers+Stubborn at 0x"));
  EXPECT_EQ(factOf(leak, "Flaws.LeakByFinalizers+Stubborn"), "120 objects");
  EXPECT_EQ(leak.owners.front().name, "Flaws.LeakByFinalizers+Stubborn");
}

TEST_P(PlantedLeaks, OfAsyncMethodsNameWhoWaitsForThem) {
  EXPECT_EQ(count(InsightKind::PendingAsync), 1u);  // not those that wait for a timer or for an answer
  const Insight& leak = find(InsightKind::PendingAsync, "Flaws.LeakByAsync.SendAsync");
  EXPECT_EQ(leak.objects, 100u);
  EXPECT_EQ(factOf(leak, "Waits for"), "TaskCompletionSource (100)");
  EXPECT_EQ(factOf(leak, "Waited for by"), "Flaws.LeakByAsync.DeliverAsync");
  EXPECT_TRUE(leak.items.front().text.starts_with("at await 0, for System.Threading.Tasks.Task at 0x"));
  EXPECT_EQ(leak.path.front(), "static Flaws.LeakByAsync.started");
}

TEST(PendingAsyncCalls, NameTheThreadThatBlocksOnThem) {
  const Insight* leak = findInsight(insightsOf("asyncs-10"), InsightKind::PendingAsync, "Stacks.Chains.BlockedAsync");
  ASSERT_TRUE(leak);
  EXPECT_EQ(factOf(*leak, "Waits for"), "TaskCompletionSource (1)");
  EXPECT_EQ(factOf(*leak, "Blocks on it"), "thread 5 in Stacks.Chains+<>c.<Block>b__12_0 (Chains.cs:80)");
  const Insight* other = findInsight(insightsOf("asyncs-10"), InsightKind::PendingAsync, "Stacks.Chains.QueryAsync");
  ASSERT_TRUE(other);
  EXPECT_EQ(factOf(*other, "Blocks on it"), "");
}

TEST_P(PlantedLeaks, OfLoadContextsShowThePathThatHoldsThem) {
  const Insight& leak = find(InsightKind::StuckLoadContext, "Flaws.LeakByLoadContext+Stuck");
  EXPECT_EQ(leak.contents, "stuck");
  EXPECT_EQ(factOf(leak, "Assembly"), "flaws.dll");
  ASSERT_GE(leak.path.size(), 3u);
  EXPECT_EQ(leak.path.front(), "static Flaws.LeakByLoadContext.forgotten");
  EXPECT_EQ(leak.path.back(), "(loader allocator): System.Reflection.LoaderAllocator");
  EXPECT_EQ(find(InsightKind::StuckLoadContext, "Flaws.LeakByLoadContext+InUse").meaning, InsightMeaning::Held);
  EXPECT_FALSE(findInsight(list(), InsightKind::StuckLoadContext, "Flaws.LeakByLoadContext+Gone"));
}

TEST_P(PlantedLeaks, OfGenericTypesTellTheirCode) {
  const Insight& growth = find(InsightKind::GenericGrowth, "Flaws.Meter<T>");
  EXPECT_EQ(growth.objects, 24u);
  EXPECT_EQ(factOf(growth, "Methods"), "50");
  EXPECT_NE(factOf(growth, "Bytes of code"), "0");
  EXPECT_FALSE(findInsight(list(), InsightKind::GenericGrowth, "Flaws.Gauge<T>"));
}

TEST_P(PlantedLeaks, OfSpaceNameThePinBehindEachGap) {
  const Insight& large = find(InsightKind::Fragmentation, "large object heap");
  EXPECT_EQ(large.meaning, InsightMeaning::Waste);
  EXPECT_NE(large.title.find(" free objects of the large object heap: "), std::string::npos) << large.title;
  ASSERT_EQ(large.items.size(), 10u);
  for (const InsightItem& gap : large.items) {
    EXPECT_TRUE(gap.text.starts_with("pinned handle 0x")) << gap.text;
    EXPECT_NE(gap.text.find(" → System.Byte[] at 0x"), std::string::npos) << gap.text;
  }
  const Insight& pinned = find(InsightKind::Fragmentation, "pinned object heap");
  ASSERT_EQ(pinned.items.size(), 10u);
  EXPECT_TRUE(pinned.items.front().text.starts_with("in front of System.Byte[] at 0x"));
}

TEST_P(PlantedLeaks, OfOneHoarderShowWhereItAccumulates) {
  const Insight& suspect = find(InsightKind::Suspect, "static Flaws.LeakByHoarding.pages");
  EXPECT_EQ(suspect.meaning, InsightMeaning::Held);
  EXPECT_TRUE(factOf(suspect, "Accumulates in").starts_with("System.Byte[][] at 0x"));
  EXPECT_TRUE(factOf(suspect, "Of these most are in").starts_with("800 System.Byte[] objects"));
  EXPECT_EQ(suspect.path.front(), "static Flaws.LeakByHoarding.pages");
}

/// What a leak frees is what cannot be reached any more without the objects that it names.
TEST_P(PlantedLeaks, FreeNoMoreThanTheHeapHasAndNoneTwice) {
  std::uint64_t bytes = 0;
  for (const Insight& insight : list().insights) {
    EXPECT_LE(insight.sharedBytes, insight.bytes) << insight.title;
    if (insight.meaning == InsightMeaning::Leak) bytes += insight.bytes - insight.sharedBytes;
  }
  EXPECT_EQ(bytes, list().leakBytes);
}

TEST(Leaks, AreNotSeenWhereThereAreNone) {
  const Snapshot shop = openSnapshot(dumpPath("shop-10"), Stage::Retained);
  const InsightList list =
      lookFor(shop, {InsightKind::DelegateLeak, InsightKind::TimerLeak, InsightKind::UndisposedFinalizables,
                     InsightKind::FinalizerBehind, InsightKind::GenericGrowth, InsightKind::Fragmentation});
  for (const Insight& insight : list.insights) ADD_FAILURE() << insight.title;
  // Its load context is in use; its tasks wait for delays without end that nothing else holds.
  const InsightList contexts = lookFor(shop, {InsightKind::StuckLoadContext});
  ASSERT_EQ(contexts.insights.size(), 1u);
  EXPECT_EQ(contexts.insights.front().meaning, InsightMeaning::Held);
  EXPECT_EQ(contexts.insights.front().contents, "plugins");
}

TEST(Leaks, EndSoonWhenTheyAreToStop) {
  const Snapshot flaws = openSnapshot(dumpPath("flaws-10"), Stage::Retained);
  std::stop_source stop;
  stop.request_stop();
  const auto list = findInsights(flaws, {}, nullptr, stop.get_token());
  ASSERT_FALSE(list);
  EXPECT_TRUE(list.error().isCancelled());
}

}  // namespace
}  // namespace heapscape::test
