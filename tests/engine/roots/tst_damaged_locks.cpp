// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>

#include "runtime/threads/sync_blocks.h"
#include "runtime/threads/threads.h"
#include "session/snapshot/contents.h"
#include "session/threads/locks_query.h"
#include "session/threads/threads_query.h"
#include "support/opened_snapshot.h"
#include "support/patched_core.h"

namespace heapscape::engine {
namespace {

using namespace heapscape::test;

/// A real dump whose sync blocks and threads are changed.
class DamagedLocks : public testing::TestWithParam<std::string> {
 protected:
  DamagedLocks() {
    FindingList findings;
    m_blocks = readSyncBlocks(runtime(), findings);
    m_awaited = *std::ranges::find_if(m_blocks, [](const SyncBlock& block) { return block.waiting > 0; });
  }

  const ClrRuntime& runtime() const { return m_before.contents().readers->runtime; }
  Address entry(std::uint32_t index) const {
    return *runtime().globalPointer("SyncTableEntries") + index * runtime().contract().sizeOf("SyncTableEntry");
  }
  LockList listAgain() const {
    const auto list = listLocks(openSnapshot(m_file.path(), Stage::Objects), {});
    EXPECT_TRUE(list);
    return *list;
  }
  static std::size_t blocksIn(const LockList& list) {
    return static_cast<std::size_t>(std::ranges::count(list.locks, LockKind::SyncBlock, &LockRow::kind));
  }

  PatchedCore m_file{GetParam()};
  Snapshot m_before = openSnapshot(m_file.path(), Stage::Summary);
  std::vector<SyncBlock> m_blocks;
  SyncBlock m_awaited;
};

INSTANTIATE_TEST_SUITE_P(Shop, DamagedLocks, testing::Values("shop-8", "shop-10"),
                         [](const auto& info) { return "Net" + info.param.substr(info.param.find('-') + 1); });

TEST_P(DamagedLocks, WithAnIndexBeyondTheTableAreNoLocks) {
  m_file.write<std::uint32_t>(m_awaited.object - 4, 0x0bffffff);
  EXPECT_FALSE(lockOf(openSnapshot(m_file.path(), Stage::Objects), m_awaited.object));
  const auto block = readSyncBlock(runtime(), 0x03ffffff);
  ASSERT_FALSE(block);
  EXPECT_EQ(block.error().code, ErrorCode::NotFound);
  EXPECT_FALSE(readSyncBlock(runtime(), 0));
}

TEST_P(DamagedLocks, OfATableThatClaimsTooManyEntriesAreAFinding) {
  const Address cache = *runtime().globalPointer("SyncBlockCache");
  m_file.write<std::uint32_t>(runtime().member(cache, "SyncBlockCache", "FreeSyncTableIndex"), 0x7fffffff);
  const LockList list = listAgain();
  EXPECT_EQ(blocksIn(list), 0u);
  EXPECT_EQ(list.locks.size(), 2u);  // the thin ones stay
  EXPECT_EQ(list.findings.items().size(), 1u);
}

TEST_P(DamagedLocks, WhoseBlockIsNowhereLeaveTheOthers) {
  m_file.write<std::uint64_t>(entry(m_awaited.index), 0x1000);
  const LockList list = listAgain();
  EXPECT_EQ(blocksIn(list), m_blocks.size() - 1);
  ASSERT_EQ(list.findings.items().size(), 1u);
  EXPECT_EQ(list.findings.items().front().kind, FindingKind::RuntimeDataDamaged);
}

TEST_P(DamagedLocks, WhoseObjectIsNowhereAreShownWithoutAType) {
  m_file.write<std::uint64_t>(entry(m_awaited.index) + 8, 0x1000);
  const LockList list = listAgain();
  EXPECT_EQ(blocksIn(list), m_blocks.size());
  ASSERT_EQ(list.findings.items().size(), 1u);
  EXPECT_EQ(list.findings.items().front().kind, FindingKind::SyncBlockMismatch);
}

TEST_P(DamagedLocks, ThatNoThreadCanBeShownToAwaitMakeNoCycle) {
  const auto before = listAgain();
  ASSERT_EQ(before.cycles.size(), 1u);
  FindingList findings;
  for (const RuntimeThread& thread : readThreads(runtime(), findings)) {
    if (thread.managedId == before.cycles.front().front())
      m_file.write<std::uint64_t>(runtime().member(thread.address, "Thread", "DebugBlockingInfo"), 0x1000);
  }
  const LockList list = listAgain();
  EXPECT_TRUE(list.cycles.empty());
  EXPECT_EQ(list.locks.size(), before.locks.size());
}

TEST_P(DamagedLocks, OfThreadsInACircleAreListedAllTheSame) {
  FindingList none;
  const auto threads = readThreads(runtime(), none);
  const Address link = runtime().member(threads[3].address, "Thread", "LinkNext");
  m_file.write<std::uint64_t>(link, link.value);
  const Snapshot after = openSnapshot(m_file.path(), Stage::Objects);
  const auto list = listThreads(after, {});
  ASSERT_TRUE(list);
  EXPECT_EQ(list->threads.size(), 4u);
  EXPECT_FALSE(list->findings.items().empty());
  EXPECT_EQ(blocksIn(listAgain()), m_blocks.size());
}

TEST_P(DamagedLocks, OfThreadsWithoutAReadableNameHaveNone) {
  FindingList none;
  for (const RuntimeThread& thread : readThreads(runtime(), none)) {
    const ThreadDetails details = readThreadDetails(*m_before.contents().readers, thread);
    if (details.name != "holder") continue;
    m_file.write<std::uint64_t>(details.managedThread, 0x4141414141414141);  // no method table
    m_file.write<std::uint64_t>(runtime().member(thread.address, "Thread", "CacheStackLimit"), ~0ull);
  }
  const auto list = listThreads(openSnapshot(m_file.path(), Stage::Objects), {});
  ASSERT_TRUE(list);
  EXPECT_EQ(std::ranges::count(list->threads, "holder", &ThreadRow::name), 0);
  EXPECT_EQ(std::ranges::count(list->threads, "waiter", &ThreadRow::name), 1);
  EXPECT_TRUE(
      std::ranges::any_of(list->threads, [](const ThreadRow& row) { return row.isAlive && row.stack.isEmpty(); }));
}

}  // namespace
}  // namespace heapscape::engine
