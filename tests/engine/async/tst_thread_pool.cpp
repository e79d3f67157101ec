// SPDX-License-Identifier: MIT
// Work and timers that the target program has left behind.
#include <gtest/gtest.h>

#include <algorithm>

#include "engine/async/async_heap.h"
#include "session/async/thread_pool_query.h"
#include "support/truth.h"

namespace heapscape::test {
namespace {

using namespace engine;

class ThreadPoolQueues : public testing::TestWithParam<const char*> {
 protected:
  const Snapshot& snapshot() const { return openedDump(GetParam()); }

  std::uint64_t countOf(const ThreadPoolState& pool, std::string_view queue) const {
    std::uint64_t count = 0;
    for (const WorkQueueRow& row : pool.queues) count += row.name == queue ? row.count : 0;
    return count;
  }
};

TEST_P(ThreadPoolQueues, HoldWhatWasPlanted) {
  const auto pool = readThreadPool(snapshot(), 100, {});
  ASSERT_TRUE(pool);
  EXPECT_EQ(pool->missing, "");
  EXPECT_TRUE(pool->findings.items().empty());
  for (const auto& planted : plantedIn(GetParam())) {
    if (!planted.contains("queued")) continue;
    EXPECT_EQ(countOf(*pool, "global"), planted.at("queued"));
    EXPECT_EQ(countOf(*pool, "local"), planted.at("local"));
    ASSERT_TRUE(pool->threads);
    EXPECT_EQ(pool->threads->maximum, planted.at("workers"));
    EXPECT_EQ(pool->threads->working, planted.at("workers"));
  }
  for (const WorkQueueRow& queue : pool->queues) {
    EXPECT_EQ(queue.items.size(), queue.count);
    EXPECT_EQ(queue.threadId != 0, queue.name == "local") << "of a worker that lives";
  }
}

TEST_P(ThreadPoolQueues, NameWhatTheirItemsCall) {
  const auto pool = readThreadPool(snapshot(), 100, {});
  ASSERT_TRUE(pool && !pool->queues.empty());
  std::vector<std::string> methods;
  for (const WorkQueueRow& queue : pool->queues) {
    for (const WorkItemRow& item : queue.items) methods.push_back(item.method);
  }
  EXPECT_EQ(std::ranges::count(methods, "Stacks.Pool.YieldAsync"), 4);
  EXPECT_EQ(std::ranges::count(methods, "Stacks.Pool.Work"), 2);
}

TEST_P(ThreadPoolQueues, ListNoMoreItemsThanAreAskedFor) {
  const auto pool = readThreadPool(snapshot(), 1, {});
  ASSERT_TRUE(pool);
  for (const WorkQueueRow& queue : pool->queues) EXPECT_LE(queue.items.size(), 1u);
  EXPECT_GT(countOf(*pool, "global"), 1u);
}

TEST_P(ThreadPoolQueues, StandBesideTimers) {
  const auto list = listTimers(snapshot(), {});
  ASSERT_TRUE(list);
  EXPECT_EQ(list->missing, "");
  const auto timer =
      std::ranges::find_if(list->timers, [](const TimerRow& row) { return row.method.starts_with("Stacks.Sources"); });
  ASSERT_NE(timer, list->timers.end());
  EXPECT_EQ(timer->dueMilliseconds, 3'600'000u);
  EXPECT_EQ(timer->periodMilliseconds, 3'600'000u);
  EXPECT_EQ(timer->stateType, "Stacks.Mark");
  ASSERT_TRUE(timer->remainingMilliseconds);
  EXPECT_LE(*timer->remainingMilliseconds, 3'600'000);
  EXPECT_GT(*timer->remainingMilliseconds, 3'000'000);
}

INSTANTIATE_TEST_SUITE_P(Dumps, ThreadPoolQueues, testing::Values("asyncs-10", "asyncs-11"),
                         [](const auto& info) { return std::string(info.param).substr(7); });

TEST(ThreadPool, ThatWasNeverUsedIsSaidToBe) {
  const auto pool = readThreadPool(openedDump("lookups-10"), 100, {});
  ASSERT_TRUE(pool);
  EXPECT_FALSE(pool->missing.empty() && pool->queues.empty());
}

}  // namespace
}  // namespace heapscape::test
