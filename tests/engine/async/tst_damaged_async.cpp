// SPDX-License-Identifier: MIT
// Dumps that lie in what async methods are told by: nothing is to crash, hang or be made up.
#include <gtest/gtest.h>

#include <algorithm>

#include "engine/async/async_heap.h"
#include "session/async/thread_pool_query.h"
#include "session/objects/object_query.h"

namespace heapscape::test {
namespace {

using namespace engine;

class DamagedAsync : public testing::Test {
 protected:
  static void SetUpTestSuite() { s_core = new PatchedCore("asyncs-10"); }
  static void TearDownTestSuite() {
    delete s_core;
    s_core = nullptr;
  }
  ~DamagedAsync() override { s_core->restore(); }

  static Snapshot open() { return openSnapshot(s_core->path(), Stage::Objects); }
  static std::vector<AsyncFrame> line(const Snapshot& snapshot) {
    const AsyncList list = chainsOf(snapshot);
    const AsyncChain* chain = findChain(list, "Stacks.Chains.InnerAsync");
    EXPECT_TRUE(chain);
    const auto frames = list.framesOf(*chain);
    return {frames.begin(), frames.end()};
  }
  static bool isDamageTold(const FindingList& findings) {
    return std::ranges::count(findings.items(), FindingKind::HeapDamaged, &Finding::kind) > 0;
  }

  static PatchedCore* s_core;
};
PatchedCore* DamagedAsync::s_core = nullptr;

TEST_F(DamagedAsync, IsTracedWhereMethodsWaitForEachOther) {
  const Snapshot before = open();
  const auto frames = line(before);
  ASSERT_EQ(frames.size(), 3u);
  // What the innermost awaits becomes the outermost: an awaiter begins with its task.
  s_core->write(fieldOf(before, frames.front().object, "<>u__1"), frames.back().object);
  const AsyncList list = chainsOf(open());
  const auto circle = std::ranges::find(list.chains, AsyncState::Circle, &AsyncChain::state);
  ASSERT_NE(circle, list.chains.end());
  EXPECT_EQ(circle->frameCount, 3u);
  EXPECT_EQ(std::ranges::count(list.chains, AsyncState::Circle, &AsyncChain::state), 1);
}

TEST_F(DamagedAsync, IsTracedWhereAMethodWaitsForItself) {
  const Snapshot before = open();
  const auto frames = line(before);
  s_core->write(fieldOf(before, frames.front().object, "m_continuationObject"), frames.front().object);
  const AsyncList list = chainsOf(open());
  EXPECT_NE(std::ranges::find(list.chains, AsyncState::Circle, &AsyncChain::state), list.chains.end());
}

TEST_F(DamagedAsync, HasNoMoreContinuationsThanThereIsRoomFor) {
  const Snapshot before = open();
  const AsyncList whole = chainsOf(before);
  const AsyncChain* part = findChain(whole, "Stacks.Chains.PartAsync");
  ASSERT_TRUE(part);
  Address list;
  list = s_core->read<Address>(fieldOf(before, part->awaited, "m_continuationObject"));
  s_core->write<std::uint32_t>(fieldOf(before, list, "_size"), 0x7fffffff);
  const AsyncList damaged = chainsOf(open());
  EXPECT_TRUE(isDamageTold(damaged.findings));
  EXPECT_EQ(damaged.chains.size(), whole.chains.size());
}

TEST_F(DamagedAsync, HasNoTimersInACircle) {
  const Snapshot before = open();
  const auto timers = listTimers(before, {});
  ASSERT_TRUE(timers && !timers->timers.empty());
  for (const TimerRow& timer : timers->timers) s_core->write(fieldOf(before, timer.object, "_next"), timer.object);
  const auto damaged = listTimers(open(), {});
  ASSERT_TRUE(damaged);
  EXPECT_TRUE(isDamageTold(damaged->findings));
  EXPECT_LE(damaged->timers.size(), 2 * timers->timers.size());
}

TEST_F(DamagedAsync, HasNoMoreWorkThanThereIsRoomFor) {
  const Snapshot before = open();
  const auto pool = readThreadPool(before, 10, {});
  ASSERT_TRUE(pool);
  const auto local = std::ranges::find(pool->queues, "local", &WorkQueueRow::name);
  ASSERT_NE(local, pool->queues.end());
  s_core->write<std::int32_t>(fieldOf(before, local->object, "m_tailIndex"), 0x7ffffff0);
  const auto damaged = readThreadPool(open(), 10, {});
  ASSERT_TRUE(damaged);
  EXPECT_TRUE(isDamageTold(damaged->findings));
}

TEST_F(DamagedAsync, SurvivesAnyBytesInTheObjectsThatTell) {
  const Snapshot before = open();
  std::uint64_t random = 1;
  for (const char* type : {"StateMachineBox", "System.Threading.Tasks.Task", "List<System.Object>", "TimerQueue",
                           "WorkStealingQueue", "ConcurrentQueue", "SemaphoreSlim"}) {
    ObjectFilter filter;
    filter.typeText = type;
    for (const ObjectRow& row : listObjects(before, filter, 0, 1000)) {
      for (std::uint64_t offset = 8; offset + 8 <= row.sizeBytes; offset += 8) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        if (random >> 61 == 0) s_core->write(row.address + offset, random);
        // Often an address of the heap, so that lists go astray rather than end.
        if (random >> 61 == 1) s_core->write(row.address + offset, row.address);
      }
    }
  }
  const Snapshot damaged = open();
  const AsyncList list = chainsOf(damaged);
  for (const AsyncChain& chain : list.chains) EXPECT_GT(chain.frameCount, 0u);
  EXPECT_TRUE(readThreadPool(damaged, 10, {}));
  EXPECT_TRUE(listTimers(damaged, {}));
}

}  // namespace
}  // namespace heapscape::test
