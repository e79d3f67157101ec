// SPDX-License-Identifier: MIT
// What threads block on, of real dumps.
#include <gtest/gtest.h>

#include <algorithm>

#include "engine/async/async_heap.h"
#include "session/threads/thread_waits.h"
#include "session/threads/threads_query.h"
#include "support/opened_snapshot.h"

namespace heapscape::test {
namespace {

using namespace engine;

StackList stacksOf(const std::string& dump) {
  return *listStacks(openedDump(dump), {}, {});
}

std::uint32_t idOf(const std::string& dump, const std::string& thread) {
  for (const auto& planted : plantedIn(dump)) {
    if (planted.value("thread", std::string()) == thread) return planted.at("managedId").get<std::uint32_t>();
  }
  return 0;
}

class BlockedThreadsOf : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    const LockList locks = *listLocks(openedDump(GetParam()), {});
    m_list = *listBlockedThreads(openedDump(GetParam()), stacksOf(GetParam()), locks, {});
  }
  /// A row without an id if the thread is not among them.
  BlockedThread blocked(const std::string& thread) const {
    const auto found = std::ranges::find(m_list.threads, idOf(GetParam(), thread), &BlockedThread::managedId);
    return found == m_list.threads.end() ? BlockedThread{} : *found;
  }

 private:
  BlockedThreads m_list;
};

INSTANTIATE_TEST_SUITE_P(Dumps, BlockedThreadsOf, testing::Values("stacks-8", "stacks-9", "stacks-10"),
                         [](const auto& info) {
                           std::string name = info.param;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

TEST_P(BlockedThreadsOf, NameTheObject) {
  EXPECT_EQ(blocked("semaphore").name, "System.Threading.SemaphoreSlim");
  EXPECT_EQ(blocked("semaphore").called, "SemaphoreSlim.Wait");
  EXPECT_EQ(blocked("slim event").name, "System.Threading.ManualResetEventSlim");
  EXPECT_EQ(blocked("event").name, "System.Threading.ManualResetEvent");
  EXPECT_EQ(blocked("monitor wait").name, "System.Object");
  EXPECT_EQ(blocked("monitor wait").called, "Monitor.Wait");
  for (const char* thread : {"semaphore", "slim event", "event", "monitor wait"}) {
    EXPECT_EQ(blocked(thread).kind, BlockedOn::Object) << thread;
    EXPECT_TRUE(blocked(thread).object) << thread;
    EXPECT_EQ(blocked(thread).owner, 0u) << thread;
  }
}

TEST_P(BlockedThreadsOf, NameTheThreadThatIsJoined) {
  EXPECT_EQ(blocked("join").kind, BlockedOn::Thread);
  EXPECT_EQ(blocked("join").owner, idOf(GetParam(), "door's owner"));
}

TEST_P(BlockedThreadsOf, NameTheTask) {
  EXPECT_EQ(blocked("task").kind, BlockedOn::Task);
  EXPECT_EQ(blocked("task").name, "TaskCompletionSource");
  EXPECT_FALSE(blocked("task").isMethod);
}

TEST_P(BlockedThreadsOf, AreTheseAlone) {
  EXPECT_EQ(blocked("any of two").object, Address{});
  EXPECT_EQ(blocked("any of two").called, "WaitHandle.WaitAny or WaitAll");
  // Monitors are told by locks; sleep, sockets and work wait for nobody here.
  for (const char* thread : {"monitor enter 1", "deadlock of two, 0", "sleep", "socket", "spinning", "door's owner"})
    EXPECT_EQ(blocked(thread).managedId, 0u) << thread;
}

class BlockedOnAsync : public testing::Test {
 protected:
  void SetUp() override {
    m_stacks = stacksOf("asyncs-10");
    m_id = idOf("asyncs-10", "blocker");
  }
  ThreadStackRow& blocker() { return *std::ranges::find(m_stacks.threads, m_id, &ThreadStackRow::managedId); }
  BlockedThreads list(const LockList& locks = {}) const {
    return *listBlockedThreads(openedDump("asyncs-10"), m_stacks, locks, {});
  }

  StackList m_stacks;
  std::uint32_t m_id = 0;
};

TEST_F(BlockedOnAsync, NamesTheMethodAndWhatItWaitsFor) {
  const BlockedThreads found = list();
  ASSERT_EQ(found.threads.size(), 1u);
  const BlockedThread& blocked = found.threads.front();
  EXPECT_EQ(blocked.managedId, m_id);
  EXPECT_EQ(blocked.name, "Stacks.Chains.BlockedAsync");
  EXPECT_TRUE(blocked.isMethod);
  EXPECT_EQ(blocked.await, 0);
  EXPECT_EQ(blocked.innermost, "");
  EXPECT_EQ(blocked.waitsFor, "TaskCompletionSource");
  EXPECT_EQ(blocked.owner, 0u);
}

// As if it waited for the method that runs, whose thread waits for a monitor that it holds.
TEST_F(BlockedOnAsync, FindsDeadlocksThatLeadThroughAMethod) {
  const AsyncList async = chainsOf(openedDump("asyncs-10"));
  const AsyncChain* running = findChain(async, "Stacks.Pool.RunningAsync");
  ASSERT_TRUE(running);
  for (StackRootRow& root : blocker().roots) {
    if (root.typeName.find("BlockedAsync") != std::string::npos) root.object = async.framesOf(*running).front().object;
  }
  const BlockedThreads unlocked = list();
  ASSERT_EQ(unlocked.threads.size(), 1u);
  EXPECT_EQ(unlocked.threads.front().name, "Stacks.Pool.RunningAsync");
  const std::uint32_t runner = unlocked.threads.front().owner;
  EXPECT_NE(runner, 0u);
  EXPECT_TRUE(unlocked.deadlocks.empty());
  LockList locks;
  locks.locks.resize(1);
  locks.locks[0].isHeld = true;
  locks.locks[0].ownerManagedId = m_id;
  locks.locks[0].waitingThreads = {runner};
  EXPECT_EQ(list(locks).deadlocks, (std::vector<std::vector<std::uint32_t>>{{m_id, runner}}));
}

TEST_F(BlockedOnAsync, BelievesNoReferencesThatAreNotExact) {
  for (StackRootRow& root : blocker().roots) root.isExact = false;
  const BlockedThreads found = list();
  ASSERT_EQ(found.threads.size(), 1u);
  EXPECT_EQ(found.threads.front().object, Address{});
  EXPECT_EQ(found.threads.front().called, "Task.Wait");
}

TEST_F(BlockedOnAsync, TakesNoNumberForAnObject) {
  const Address task = list().threads.at(0).object;
  for (const Address wrong : {Address{1}, Address{0xfffffffffffffff8}, task + 8}) {
    for (StackRootRow& root : blocker().roots) {
      if (root.typeName.find("BlockedAsync") != std::string::npos) root.object = wrong;
    }
    const BlockedThreads found = list();
    ASSERT_EQ(found.threads.size(), 1u);
    EXPECT_EQ(found.threads.front().name, "Stacks.Chains.BlockedAsync");  // the row says so
    EXPECT_EQ(found.threads.front().waitsFor, "");
    EXPECT_EQ(found.threads.front().owner, 0u);
  }
  // Of what is said to be a task without a name of its own, memory has to agree.
  for (StackRootRow& root : blocker().roots) root.typeName = "System.Threading.Tasks.Task";
  EXPECT_NE(list().threads.at(0).object, task + 8);
}

TEST(RunnersOfTasks, AreThreadsWithAFrameThatExecutesThem) {
  StackList stacks;
  stacks.threads.resize(2);
  for (std::uint32_t i = 0; i < 2; ++i) {
    ThreadStackRow& thread = stacks.threads[i];
    thread.managedId = 7 + i;
    thread.frames.resize(1);
    thread.frames[0].type = "System.Threading.Tasks.Task";
    thread.frames[0].method = i == 0 ? "InternalWait" : "ExecuteWithThreadLocal";
    thread.roots.resize(2);
    thread.roots[0].object = {0x1000};
    thread.roots[1].object = {0x2000};
    thread.roots[1].frame = 99;  // there is none
  }
  stacks.threads[0].frames.push_back({});
  stacks.threads[0].frames[1].type =
      "System.Runtime.CompilerServices.AsyncTaskMethodBuilder<System.Int32>+AsyncStateMachineBox<A>";
  stacks.threads[0].roots.push_back({.frame = 1, .object = {0x3000}});
  stacks.threads[0].roots.push_back({.frame = 1, .object = {0x4000}, .typeName = stacks.threads[0].frames[1].type});
  EXPECT_EQ(runnersOfTasks(stacks), (std::unordered_map<Address, std::uint32_t>{{{0x1000}, 8}, {{0x4000}, 7}}));
}

}  // namespace
}  // namespace heapscape::test
