// SPDX-License-Identifier: MIT
// Threads and locks as rows: what they are for, and in whose way.
#include <gtest/gtest.h>

#include <limits>
#include <map>

#include "named_cell.h"
#include "support/details.h"
#include "support/opened_snapshot.h"
#include "tables/thread_tables.h"

namespace heapscape::engine {
namespace {

using test::addressIn;
using test::cellOf;
using test::redactedCellOf;

ThreadRow aliveThread() {
  ThreadRow thread;
  thread.managedId = 5;
  thread.isAlive = true;
  return thread;
}

LockRow lockHeld(LockKind kind, std::uint32_t recursion) {
  LockRow lock;
  lock.kind = kind;
  lock.isHeld = true;
  lock.recursion = recursion;
  return lock;
}

TEST(ThreadRoles, AreTheFirstThatHolds) {
  ThreadRow thread = aliveThread();
  EXPECT_EQ(roleOf(thread), ThreadRole::Foreground);
  thread.isBackground = true;
  EXPECT_EQ(roleOf(thread), ThreadRole::Background);
  thread.isThreadPool = true;
  EXPECT_EQ(roleOf(thread), ThreadRole::ThreadPool);
  thread.isGc = true;
  EXPECT_EQ(roleOf(thread), ThreadRole::Gc);
  thread.isFinalizer = true;
  EXPECT_EQ(roleOf(thread), ThreadRole::Finalizer);
  thread.isAlive = false;
  EXPECT_EQ(roleOf(thread), ThreadRole::Dead);
}

TEST(ThreadRoles, HaveNames) {
  EXPECT_STREQ(toString(ThreadRole::Foreground), "foreground");
  EXPECT_STREQ(toString(ThreadRole::Background), "background");
  EXPECT_STREQ(toString(ThreadRole::ThreadPool), "threadPool");
  EXPECT_STREQ(toString(ThreadRole::Finalizer), "finalizer");
  EXPECT_STREQ(toString(ThreadRole::Gc), "gc");
  EXPECT_STREQ(toString(ThreadRole::Dead), "dead");
}

TEST(ThreadRows, AnEmptyRangeIsUnknownWhereverItLies) {
  ThreadRow thread = aliveThread();
  for (const char* column : {"allocationContext", "stack"})
    EXPECT_TRUE(cellOf(threadsTable(), thread, column).isUnknown()) << column;
  thread.allocationContext = {Address{0x1000}, Address{0x1000}};
  EXPECT_TRUE(cellOf(threadsTable(), thread, "allocationContext").isUnknown());
  EXPECT_EQ(cellOf(threadsTable(), thread, "toAllocate"), Cell(std::uint64_t{0}));
  thread.allocationContext = {Address{0x1000}, Address{0x1018}};
  EXPECT_EQ(toString(cellOf(threadsTable(), thread, "allocationContext")), "0x1000-0x1018");
  EXPECT_EQ(cellOf(threadsTable(), thread, "toAllocate"), Cell(std::uint64_t{24}));
}

TEST(ThreadRows, OnlyAThreadWithAnExceptionHasATypeOfIt) {
  ThreadRow thread = aliveThread();
  thread.exceptionType = "left over";
  EXPECT_TRUE(cellOf(threadsTable(), thread, "exceptionType").isNothing());
  thread.exception = Address{0x7f00};
  thread.exceptionType = "System.IO.IOException";
  EXPECT_EQ(cellOf(threadsTable(), thread, "exceptionType"), Cell("System.IO.IOException"));
}

TEST(ThreadRows, NamesAreContents) {
  ThreadRow thread = aliveThread();
  thread.name = "Alice's \"worker\"\n";
  EXPECT_EQ(cellOf(threadsTable(), thread, "name"), Cell("Alice's \"worker\"\n"));
  EXPECT_TRUE(redactedCellOf(threadsTable(), thread, "name").isUnknown());
  EXPECT_EQ(redactedCellOf(threadsTable(), thread, "managedId"), Cell(std::uint64_t{5}));
  LockRow lock = lockHeld(LockKind::Thin, 0);
  lock.ownerName = "Alice";
  EXPECT_TRUE(redactedCellOf(locksTable(), lock, "ownerName").isUnknown());
}

TEST(ThreadRows, RetainedIsUnknownBeforeItsStage) {
  ThreadRow thread = aliveThread();
  EXPECT_TRUE(cellOf(threadsTable(), thread, "retained").isUnknown());
  thread.retainedBytes = 0;
  EXPECT_EQ(cellOf(threadsTable(), thread, "retained"), Cell(std::uint64_t{0}));
}

TEST(ThreadRows, RolesOfADumpAreWhatClrMdSaysOfItsThreads) {
  constexpr std::uint32_t kBackground = 0x200, kPoolWorker = 0x01000000;  // ThreadState, src/coreclr/vm/threads.h
  std::map<std::uint64_t, std::string> expected;
  const nlohmann::json details = test::detailsOf("shop-10");
  for (const nlohmann::json& row : details["threads"]) {
    const auto state = row["state"].get<std::uint32_t>();
    expected[addressIn(row, "address").value] = !row["alive"].get<bool>()      ? "dead"
                                                : row["finalizer"].get<bool>() ? "finalizer"
                                                : row["gc"].get<bool>()        ? "gc"
                                                : (state & kPoolWorker) != 0   ? "threadPool"
                                                : (state & kBackground) != 0   ? "background"
                                                                               : "foreground";
  }
  const auto list = listThreads(test::openedDump("shop-10"), {});
  ASSERT_TRUE(list.has_value());
  ASSERT_EQ(list->threads.size(), expected.size());
  for (const ThreadRow& thread : list->threads)
    EXPECT_EQ(toString(cellOf(threadsTable(), thread, "role")), expected[thread.address.value]) << thread.managedId;
}

TEST(LockStandings, WaitersMakeALockContendedEvenWhenNobodyHoldsIt) {
  LockRow lock;
  EXPECT_EQ(standingOf(lock), LockStanding::Free);
  lock.waiting = 1;
  EXPECT_EQ(standingOf(lock), LockStanding::Contended);
  lock.isHeld = true;
  EXPECT_EQ(standingOf(lock), LockStanding::Contended);
  lock.waiting = 0;
  EXPECT_EQ(standingOf(lock), LockStanding::Held);
  EXPECT_STREQ(toString(LockStanding::Contended), "contended");
  EXPECT_STREQ(toString(LockStanding::Held), "held");
  EXPECT_STREQ(toString(LockStanding::Free), "free");
}

TEST(LockEntries, AThinLockDoesNotCountTheFirst) {
  EXPECT_EQ(entersOf(lockHeld(LockKind::Thin, 0)), 1u);
  EXPECT_EQ(entersOf(lockHeld(LockKind::Thin, 2)), 3u);
  EXPECT_EQ(entersOf(lockHeld(LockKind::SyncBlock, 3)), 3u);
  EXPECT_EQ(entersOf(lockHeld(LockKind::Thin, std::numeric_limits<std::uint32_t>::max())), 4'294'967'296u);
  LockRow free = lockHeld(LockKind::SyncBlock, 9);
  free.isHeld = false;
  EXPECT_EQ(entersOf(free), 0u) << "what is left of a lock that was let go";
}

TEST(LockRows, AThinLockHasNothingOfASyncBlock) {
  LockRow lock = lockHeld(LockKind::Thin, 0);
  for (const char* column : {"syncBlockIndex", "syncBlock", "hashCode", "interop"})
    EXPECT_TRUE(cellOf(locksTable(), lock, column).isNothing()) << column;
  lock.kind = LockKind::SyncBlock;
  lock.syncBlockIndex = 12;
  EXPECT_EQ(cellOf(locksTable(), lock, "syncBlockIndex"), Cell(std::uint64_t{12}));
  EXPECT_EQ(cellOf(locksTable(), lock, "hashCode"), Cell(std::uint64_t{0}));
  EXPECT_EQ(cellOf(locksTable(), lock, "interop"), Cell(false));
}

TEST(LockRows, WaitersAreNumbersOfThreads) {
  LockRow lock = lockHeld(LockKind::SyncBlock, 1);
  EXPECT_TRUE(cellOf(locksTable(), lock, "waitingThreads").isEmpty());
  lock.waitingThreads = {3, 4'294'967'295};
  EXPECT_EQ(toString(cellOf(locksTable(), lock, "waitingThreads")), "3 4294967295");
}

TEST(LockRows, EntriesOfADumpAreWhatClrMdCounts) {
  const nlohmann::json details = test::detailsOf("shop-10");
  std::map<std::uint64_t, std::uint64_t> expected;
  for (const nlohmann::json& row : details["thinLocks"])
    expected[addressIn(row, "object").value] = row["recursion"].get<std::uint64_t>() + 1;
  for (const nlohmann::json& row : details["syncBlocks"])
    if (row["held"].get<bool>()) expected[addressIn(row, "object").value] = row["recursion"].get<std::uint64_t>();
  ASSERT_FALSE(expected.empty());
  const auto list = listLocks(test::openedDump("shop-10"), {});
  ASSERT_TRUE(list.has_value());
  std::map<std::uint64_t, std::uint64_t> entered;
  for (const LockRow& lock : list->locks)
    if (entersOf(lock)) entered[lock.object.value] = cellOf(locksTable(), lock, "entered").number();
  EXPECT_EQ(entered, expected);
}

}  // namespace
}  // namespace heapscape::engine
