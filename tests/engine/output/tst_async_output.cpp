// SPDX-License-Identifier: MIT
// Chains of async methods, the thread pool and timers.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "output/threads/async_output.h"
#include "support/opened_snapshot.h"
#include "written.h"

namespace heapscape::engine {
namespace {

using test::written;
using test::writtenJson;

/// Chains of one frame each, "Shop.PlaceAsync" for "Task.Delay", all in one group.
AsyncList chainsIn(AsyncState state, std::size_t chains) {
  AsyncList list;
  list.names = {"Shop.PlaceAsync", "Task.Delay", "Shop.Done"};
  AsyncGroup group;
  for (std::uint32_t i = 0; i < chains; ++i) {
    AsyncFrame frame{.object = Address{0x7f00 + 8 * i}};
    if (state == AsyncState::Suspended) frame.await = 1;
    list.frames.push_back(frame);
    list.chains.push_back({.firstFrame = i, .frameCount = 1, .state = state, .waitsFor = 1});
    group.chains.push_back(i);
  }
  list.groups = {group};
  list.methods = chains;
  return list;
}

std::string asyncText(const AsyncList& list, const RowSelection& rows = {}) {
  // Locals are read of the dump for each chain alone only.
  return written([&](Output& output) { writeAsyncText(output, test::openedDump("shop-10"), list, false, rows); });
}

TEST(AsyncText, NothingPendingIsOneLine) {
  EXPECT_EQ(asyncText({}), "0 calls of async methods are pending, in 0 chains.\n");
}

TEST(AsyncText, EachStateIsSaidInWords) {
  EXPECT_EQ(asyncText(chainsIn(AsyncState::Suspended, 2)),
            "2 calls of async methods are pending, in 2 chains.\n\n"
            "2 × waits for Task.Delay\n"
            "    Shop.PlaceAsync  at await 1\n");
  EXPECT_NE(asyncText(chainsIn(AsyncState::Queued, 1)).find("1 × waits for Task.Delay\n"), std::string::npos);
  EXPECT_NE(asyncText(chainsIn(AsyncState::Circle, 1)).find("1 × waits for itself, through Task.Delay\n"),
            std::string::npos);
  EXPECT_NE(asyncText(chainsIn(AsyncState::Running, 1))
                .find("1 call of async methods is pending, in 1 chain.\n\n"
                      "1 × runs\n"),
            std::string::npos);
}

TEST(AsyncText, WhatIsOfOneChainIsNotSaidOfSeveral) {
  for (const std::size_t chains : {std::size_t{1}, std::size_t{2}}) {
    AsyncList waiting = chainsIn(AsyncState::Suspended, chains);
    waiting.chains[0].milliseconds = 250;
    waiting.frames[0].event = Address{0x10};
    waiting.frames[0].thread = 7;
    const std::string text = asyncText(waiting);
    EXPECT_EQ(text.find("Task.Delay of 250 ms") != std::string::npos, chains == 1) << text;
    EXPECT_EQ(text.find("blocks thread 7\n") != std::string::npos, chains == 1) << text;
    EXPECT_EQ(text.find("blocks a thread\n") != std::string::npos, chains == 2) << text;
    AsyncList running = chainsIn(AsyncState::Running, chains);
    running.frames[0].thread = 9;
    EXPECT_EQ(asyncText(running).find("runs on thread 9\n") != std::string::npos, chains == 1);
  }
}

TEST(AsyncText, GarbageRetainedSizeAndCallbackAreTold) {
  AsyncList list = chainsIn(AsyncState::Suspended, 1);
  list.chains[0].isReachable = false;
  list.chains[0].callback = 2;
  list.groups[0].retainedBytes = 2'048;
  EXPECT_NE(asyncText(list).find("waits for Task.Delay (garbage)  retains 2.00 KB\n"), std::string::npos);
  EXPECT_TRUE(asyncText(list).ends_with("    then Shop.Done\n"));
  list.groups[0].isRetainedExact = false;
  EXPECT_NE(asyncText(list).find("retains at least 2.00 KB\n"), std::string::npos);
}

TEST(AsyncText, GroupsEndAtTheLimitAndNamesAreMadePrintable) {
  AsyncList list = chainsIn(AsyncState::Queued, 1);
  list.names[1] = "x\ty";
  const std::string one = asyncText(list);
  list.groups.push_back(list.groups.front());
  EXPECT_EQ(asyncText(list, {.limit = 1}), one);
  EXPECT_GT(asyncText(list).size(), one.size());
  EXPECT_NE(one.find("1 × waits for x\\ty\n"), std::string::npos) << one;
}

TEST(AsyncJson, FramesSayWhatTheyAreAndWhichThreadTheyBlockOrUse) {
  AsyncList list = chainsIn(AsyncState::Suspended, 1);
  list.frames.push_back({.object = Address{0x9000}, .name = 1, .isMethod = false, .event = Address{0x10}, .thread = 4});
  list.frames.push_back({.object = Address{0x9100}, .name = 2, .thread = 5});
  list.chains[0].frameCount = 3;
  const auto json = nlohmann::json::parse(
      writtenJson([&](JsonWriter& writer) { writeAsyncChains(writer, test::openedDump("shop-10"), list, false, {}); }));
  EXPECT_EQ(json.at("methodsPending"), 1);
  EXPECT_EQ(json.at("chains").at(0).at("frames"),
            nlohmann::json::parse(R"([{"method": "Shop.PlaceAsync", "object": "0x7f00", "await": 1},
                                      {"task": "Task.Delay", "object": "0x9000", "blocksThread": 4},
                                      {"method": "Shop.Done", "object": "0x9100", "runsOn": 5}])"));
}

TEST(ThreadPoolOutput, QueuesAndCountsOfThreads) {
  ThreadPoolState pool;
  pool.queues = {{.name = "global", .object = Address{0x10}, .count = 2},
                 {.name = "local", .threadId = 6, .object = Address{0x20}, .count = 1}};
  pool.threads = PoolThreads{.working = 3, .existing = -1, .goal = 4, .minimum = 2, .maximum = 100};
  pool.queues[0].items = {{Address{0x30}, "System.Threading.Tasks.Task", "Shop.A"}, {Address{0x38}, "T", ""}};
  const std::string text = written([&](Output& output) { writeThreadPoolText(output, pool, {.limit = 1}); });
  EXPECT_EQ(text,
            "\nThread pool: 3 of 0 threads work, 4 wanted, at least 2, at most 100\n"
            "global queue: 2 items\n"
            "    0x30  Shop.A  System.Threading.Tasks.Task\n"
            "local queue of thread 6: 1 item\n");
  const auto json =
      nlohmann::json::parse(writtenJson([&](JsonWriter& writer) { writeThreadPool(writer, pool, {.limit = 1}); }));
  EXPECT_EQ(json.at("pool").at("existing"), 0) << "a count of damaged memory may be negative";
  EXPECT_EQ(json.at("queues").size(), 1u);
  EXPECT_FALSE(json.at("queues").at(0).contains("thread"));
  EXPECT_FALSE(json.contains("queuesMissing"));
}

TEST(ThreadPoolOutput, WhyThereIsNoneIsSaid) {
  ThreadPoolState pool;
  pool.missing = "The program uses no pool.";
  EXPECT_EQ(written([&](Output& output) { writeThreadPoolText(output, pool, {}); }),
            "\nThread pool. The program uses no pool.\n");
  const auto json = nlohmann::json::parse(writtenJson([&](JsonWriter& writer) { writeThreadPool(writer, pool, {}); }));
  EXPECT_EQ(json.at("queuesMissing"), "The program uses no pool.");
  EXPECT_FALSE(json.contains("pool"));
}

TimerRow timer(const char* method, std::optional<std::uint32_t> period, std::optional<std::int64_t> left) {
  return {.object = Address{0x10},
          .periodMilliseconds = period,
          .remainingMilliseconds = left,
          .method = method,
          .state = {},
          .stateType = {}};
}

TEST(TimersText, EqualOnesAreOneLineAndTheMostComeFirst) {
  TimerList list;
  list.timers = {timer("Shop.Once", {}, -20), timer("Shop.Trim", 1'000, 50), timer("Shop.Trim", 1'000, 900),
                 timer("Shop.Trim", 500, {})};
  const auto text = [&](std::size_t limit) {
    return written([&](Output& output) { writeTimersText(output, list, {.limit = limit}); });
  };
  EXPECT_EQ(text(5),
            "\nTimers\n"
            "Timers  Soonest in at most  Period   Calls\n"
            "     2  50 ms               1000 ms  Shop.Trim\n"
            "     1  0 ms                once     Shop.Once\n"
            "     1                      500 ms   Shop.Trim\n");
  EXPECT_EQ(text(1).find("Shop.Once"), std::string::npos);
  list = {};
  list.missing = "None is known.";
  EXPECT_EQ(text(5), "\nTimers. None is known.\n");
}

}  // namespace
}  // namespace heapscape::engine
