// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "session/objects/object_query.h"
#include "session/roots/handles_query.h"
#include "session/threads/locks_query.h"
#include "session/threads/threads_query.h"
#include "support/opened_snapshot.h"
#include "support/truth.h"

namespace heapscape::engine {
namespace {

using namespace heapscape::test;

/// What tests/targets/shop does in Lifetimes.cs, Locks.cs and Stacks.cs; one dump of each version, each with another
/// GC.
class PlantedRoots : public testing::TestWithParam<std::string> {
 protected:
  const Snapshot& snapshot() const { return openedDump(GetParam()); }
};

INSTANTIATE_TEST_SUITE_P(OfShop, PlantedRoots, testing::Values("shop-8", "shop-9-server", "shop-10-segments"),
                         [](const auto& dump) { return testName(dump.param); });

TEST_P(PlantedRoots, HandlesAreOfTheKindsThatTheProgramAskedFor) {
  const auto list = listHandles(snapshot(), false, {});
  ASSERT_TRUE(list);
  std::map<HandleKind, int> tagged;
  bool hasSecondary = false;
  for (const HandleRow& row : list->handles) {
    EXPECT_FALSE(row.typeName.empty());
    if (row.typeName != "Shop.Lifetimes+Tagged") continue;
    ++tagged[row.kind];
    hasSecondary |= row.kind == HandleKind::Dependent && row.dependentType == "Shop.Lifetimes+Tagged";
  }
  EXPECT_EQ(tagged[HandleKind::Strong], 1);
  EXPECT_EQ(tagged[HandleKind::WeakShort], 1);
  EXPECT_EQ(tagged[HandleKind::WeakLong], 1);
  EXPECT_TRUE(hasSecondary);
  EXPECT_TRUE(std::ranges::any_of(list->handles, [](const HandleRow& row) {
    return row.kind == HandleKind::Pinned && row.typeName == "System.Byte[]";
  }));
  EXPECT_TRUE(std::ranges::is_sorted(list->handles, {}, &HandleRow::kind));
}

TEST_P(PlantedRoots, EmptyHandlesAreListedOnRequest) {
  const auto used = listHandles(snapshot(), false, {});
  const auto all = listHandles(snapshot(), true, {});
  ASSERT_TRUE(used && all);
  EXPECT_GT(all->handles.size(), used->handles.size());
  EXPECT_EQ(std::ranges::count_if(all->handles, [](const HandleRow& row) { return bool(row.object); }),
            static_cast<std::ptrdiff_t>(used->handles.size()));
  EXPECT_TRUE(all->findings.items().empty());
}

TEST_P(PlantedRoots, LocksNameHolderAndWaiters) {
  const auto locks = listLocks(snapshot(), {});
  const auto threads = listThreads(snapshot(), {});
  ASSERT_TRUE(locks && threads);
  std::map<std::string, ThreadRow> byName;
  for (const ThreadRow& thread : threads->threads) byName[thread.name] = thread;
  const ThreadRow& holder = byName["holder"];
  EXPECT_EQ(holder.locks, 4u);  // thin, nested, hashed and awaited
  EXPECT_EQ(holder.waitsForManagedId, 0u);
  EXPECT_EQ(byName["waiter"].waitsForManagedId, holder.managedId);
  EXPECT_EQ(byName["waiter"].locks, 0u);

  std::multiset<std::uint32_t> thinRecursions;
  std::size_t hashed = 0;
  for (const LockRow& row : locks->locks) {
    if (row.ownerManagedId != holder.managedId) continue;
    EXPECT_EQ(row.typeName, "Shop.Locks+Door");
    EXPECT_EQ(row.ownerName, "holder");
    EXPECT_EQ(row.ownerOsId, holder.osId);
    if (row.kind == LockKind::Thin) thinRecursions.insert(row.recursion);
    hashed += row.kind == LockKind::SyncBlock && row.hashCode != 0;
    if (row.waiting > 0) {
      EXPECT_EQ(row.waitingThreads, std::vector{byName["waiter"].managedId});
    }
  }
  EXPECT_EQ(thinRecursions, (std::multiset<std::uint32_t>{0, 2}));
  EXPECT_EQ(hashed, 1u);
}

TEST_P(PlantedRoots, LockOfAnObjectIsThatOfTheList) {
  const auto list = listLocks(snapshot(), {});
  ASSERT_TRUE(list);
  ASSERT_FALSE(list->locks.empty());
  for (const LockRow& row : list->locks) {
    const auto lock = lockOf(snapshot(), row.object);
    ASSERT_TRUE(lock) << toString(row.object);
    EXPECT_EQ(lock->kind, row.kind);
    EXPECT_EQ(lock->ownerManagedId, row.ownerManagedId);
    EXPECT_EQ(lock->syncBlockIndex, row.syncBlockIndex);
    EXPECT_EQ(lock->waitingThreads, row.waitingThreads);
  }
  ObjectFilter strings;
  strings.type = findType(snapshot(), "System.String");
  EXPECT_FALSE(lockOf(snapshot(), listObjects(snapshot(), strings, 0, 1).front().address));
  EXPECT_FALSE(lockOf(snapshot(), Address{0x1234}));
}

TEST_P(PlantedRoots, ThreadsHaveStacksStatesAndTheExceptionTheyHandle) {
  const auto list = listThreads(snapshot(), {});
  ASSERT_TRUE(list);
  EXPECT_TRUE(list->findings.items().empty());
  std::size_t finalizers = 0;
  for (const ThreadRow& row : list->threads) {
    SCOPED_TRACE(row.name);
    finalizers += row.isFinalizer;
    EXPECT_EQ(row.exceptionType, row.name == "handler" ? "System.InvalidOperationException" : "");
    EXPECT_EQ(row.isAlive, row.name != "ended");
    EXPECT_EQ(row.stack.isEmpty(), row.name == "ended");
    EXPECT_EQ(row.isBackground, row.managedId != 1 && row.name != "ended");
    EXPECT_TRUE(row.managedThread || row.name.empty());
    EXPECT_EQ(std::ranges::count(row.state, "dead"), row.name == "ended");
  }
  EXPECT_EQ(finalizers, 1u);
}

TEST_P(PlantedRoots, FinalizersKnowWhatWasSuppressedAndWhatIsCritical) {
  const auto list = listFinalizers(snapshot(), {});
  ASSERT_TRUE(list);
  EXPECT_TRUE(list->findings.items().empty());
  EXPECT_TRUE(std::ranges::is_sorted(list->objects, {}, &FinalizerRow::queue));
  std::map<std::string, std::map<FinalizerQueueKind, int>> counts;
  int suppressed = 0;
  for (const FinalizerRow& row : list->objects) {
    ++counts[row.typeName][row.queue];
    suppressed += row.isSuppressed && row.typeName == "Shop.Lifetimes+Resource";
  }
  // Twenty are kept and one is suppressed, but still registered; ten were forgotten and wait behind a finalizer that
  // never ends.
  EXPECT_EQ(counts["Shop.Lifetimes+Resource"][FinalizerQueueKind::Registered], 21);
  EXPECT_GT(counts["Shop.Lifetimes+Resource"][FinalizerQueueKind::Ready], 0);
  EXPECT_EQ(suppressed, 1);
  EXPECT_EQ(counts["Shop.Lifetimes+CriticalResource"][FinalizerQueueKind::Registered], 1);
}

TEST_P(PlantedRoots, QuestionsCanBeStopped) {
  std::stop_source source;
  source.request_stop();
  EXPECT_FALSE(listHandles(snapshot(), true, source.get_token()));
  EXPECT_FALSE(listLocks(snapshot(), source.get_token()));
  EXPECT_FALSE(listThreads(snapshot(), source.get_token()));
  EXPECT_FALSE(listFinalizers(snapshot(), source.get_token()));
}

}  // namespace
}  // namespace heapscape::engine
