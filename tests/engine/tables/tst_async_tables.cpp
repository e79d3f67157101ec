// SPDX-License-Identifier: MIT
// Chains of async methods, work of the pool and timers as rows.
#include <gtest/gtest.h>

#include <limits>

#include "named_cell.h"
#include "tables/async_tables.h"

namespace heapscape::engine {
namespace {

using test::cellOf;
using test::textIn;

constexpr std::uint32_t kNoName = AsyncFrame::kNone;

// PlaceAsync, called by a WhenAll that RunAsync awaits, waits for a delay; and LoopAsync runs.
AsyncList twoChains() {
  AsyncList list;
  list.names = {"Shop.PlaceAsync", "Task.WhenAll", "Shop.RunAsync", "Task.Delay", "Shop.LoopAsync", "Shop.Done"};
  list.frames = {{.object = Address{0x100}, .name = 0, .await = 2},
                 {.object = Address{0x200}, .name = 1, .isMethod = false},
                 {.object = Address{0x300}, .name = 2, .await = 0},
                 {.object = Address{0x400}, .name = 4}};
  list.chains = {{.firstFrame = 0,
                  .frameCount = 3,
                  .state = AsyncState::Suspended,
                  .waitsFor = 3,
                  .awaited = Address{0x900},
                  .milliseconds = 250,
                  .callback = 5},
                 {.firstFrame = 3, .frameCount = 1, .state = AsyncState::Running, .waitsFor = kNoName}};
  list.groups = {{.chains = {0}, .retainedBytes = 96}, {.chains = {1}, .isFramework = true}};
  return list;
}

TimerRow timerOf(const char* method, std::optional<std::uint32_t> period, const char* stateType,
                 std::optional<std::int64_t> left) {
  return {.object = {},
          .periodMilliseconds = period,
          .remainingMilliseconds = left,
          .method = method,
          .state = {},
          .stateType = stateType};
}

TEST(ChainRows, NoChainsHaveNoRows) {
  EXPECT_TRUE(listChains({}).empty());
}

TEST(ChainRows, TellWhereTheyWaitAndWhoBeganThem) {
  const std::vector<ListedChains> rows = listChains(twoChains());
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].group, 0u);
  EXPECT_EQ(rows[1].group, 1u);
  EXPECT_EQ(rows[0].innermost, "Shop.PlaceAsync");
  EXPECT_EQ(rows[0].outermost, "Shop.RunAsync");
  EXPECT_EQ(rows[0].calls, 3u);
  EXPECT_EQ(rows[0].waitsFor, "Task.Delay");
  EXPECT_EQ(rows[0].callback, "Shop.Done");
  EXPECT_EQ(rows[1].innermost, rows[1].outermost);
}

TEST(ChainRows, TasksBetweenMethodsAreCallsButNoMethods) {
  const ListedChains row = listChains(twoChains()).front();
  EXPECT_EQ(row.methods, (std::vector<std::string>{"Shop.PlaceAsync", "Shop.RunAsync"}));
  EXPECT_EQ(row.calls, 3u);
}

TEST(ChainRows, WhatRunsWaitsForNothingAndCallsNobody) {
  const ListedChains row = listChains(twoChains()).back();
  EXPECT_FALSE(row.waitsFor);
  EXPECT_FALSE(row.callback);
  EXPECT_TRUE(cellOf(chainsTable(), row, "waitsFor").isUnknown());
  EXPECT_EQ(cellOf(chainsTable(), row, "state"), Cell("running"));
  EXPECT_EQ(cellOf(chainsTable(), row, "framework"), Cell(true));
}

TEST(ChainRows, AnObjectThatBeginsSeveralChainsIsListedOnce) {
  AsyncList list = twoChains();
  list.frames.push_back({.object = Address{0x500}, .name = 0});
  list.chains.push_back({.firstFrame = 0, .frameCount = 1});
  list.chains.push_back({.firstFrame = 4, .frameCount = 1});
  list.groups = {{.chains = {0, 2, 3}}};
  const ListedChains row = listChains(list).front();
  EXPECT_EQ(row.chains, 3u);
  EXPECT_EQ(row.objects, (std::vector{Address{0x100}, Address{0x500}}));
  EXPECT_EQ(cellOf(chainsTable(), row, "objects"), Cell(Cell::Words{"0x100", "0x500"}));
  EXPECT_EQ(cellOf(chainsTable(), row, "object"), Cell(Address{0x100}));
}

TEST(ChainRows, WhatOnlyOneChainCanHaveIsNothingOfSeveral) {
  ListedChains row = listChains(twoChains()).front();
  EXPECT_EQ(cellOf(chainsTable(), row, "awaited"), Cell(Address{0x900}));
  EXPECT_EQ(cellOf(chainsTable(), row, "milliseconds"), Cell(std::uint64_t{250}));
  row.chains = 2;
  EXPECT_TRUE(cellOf(chainsTable(), row, "awaited").isNothing());
  EXPECT_TRUE(cellOf(chainsTable(), row, "milliseconds").isNothing());
  row.chains = 1;
  row.milliseconds.reset();
  EXPECT_TRUE(cellOf(chainsTable(), row, "milliseconds").isUnknown()) << "one chain may have a delay";
}

TEST(ChainRows, RetainedIsUnknownRatherThanNothingBeforeItIs) {
  const std::vector<ListedChains> rows = listChains(twoChains());
  EXPECT_EQ(cellOf(chainsTable(), rows[0], "retained"), Cell(std::uint64_t{96}));
  EXPECT_TRUE(cellOf(chainsTable(), rows[1], "retained").isUnknown());
}

TEST(WorkQueues, OnlyLocalOnesHaveAThread) {
  WorkQueueRow queue{.name = "global", .object = Address{0x10}, .count = std::numeric_limits<std::uint64_t>::max()};
  EXPECT_TRUE(cellOf(queuesTable(), queue, "thread").isNothing());
  queue.threadId = 7;
  EXPECT_EQ(cellOf(queuesTable(), queue, "thread"), Cell(std::uint64_t{7}));
  EXPECT_EQ(toString(cellOf(queuesTable(), queue, "count")), "18446744073709551615");
}

TEST(WorkQueues, EachHasItsOwnItems) {
  WorkQueueRow full{.name = "local", .object = {}, .count = 900};
  full.items = {{Address{0x20}, "Shop.Job", "Shop.Job.Run"}, {Address{0x30}, "System.Threading.Tasks.Task", ""}};
  const Table table = queuesTable().with(std::vector<WorkQueueRow>{{.name = "global", .object = {}}, full});
  ASSERT_EQ(table.inner(0).size(), 1u);
  EXPECT_EQ(table.inner(0).front().rows, 0u);
  const Table items = table.inner(1).front();
  ASSERT_EQ(items.rows, 2u) << "those that are listed, not all that wait";
  EXPECT_EQ(items.description->noun, "items");
  EXPECT_EQ(textIn(items, 0, "method"), "Shop.Job.Run");
  EXPECT_EQ(textIn(items, 1, "object"), "0x30");
}

TEST(Timers, OverdueByHowMuchIsNotKnown) {
  TimerRow timer = timerOf("Shop.Cache.Trim", std::nullopt, "", 0);
  EXPECT_EQ(cellOf(timersTable(), timer, "remainingMilliseconds"), Cell(std::uint64_t{0}));
  for (const std::optional<std::int64_t> left : {std::optional<std::int64_t>(), std::optional<std::int64_t>(-1),
                                                 std::optional(std::numeric_limits<std::int64_t>::min())}) {
    timer.remainingMilliseconds = left;
    EXPECT_TRUE(cellOf(timersTable(), timer, "remainingMilliseconds").isUnknown());
  }
  timer.remainingMilliseconds = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(toString(cellOf(timersTable(), timer, "remainingMilliseconds")), "9223372036854775807");
  EXPECT_TRUE(cellOf(timersTable(), timer, "periodMilliseconds").isUnknown());
}

TEST(EqualTimerRows, NoTimersHaveNoRows) {
  EXPECT_TRUE(listEqualTimers({}).empty());
}

TEST(EqualTimerRows, AreThoseOfOneMethodTypeAndPeriod) {
  TimerList list;
  list.timers = {timerOf("Trim", 1'000, "Cache", 5), timerOf("Trim", 1'000, "Cache", 9),
                 timerOf("Trim", 2'000, "Cache", 9), timerOf("Trim", std::nullopt, "Cache", 9),
                 timerOf("Trim", 1'000, "", 9),      timerOf("Ping", 1'000, "Cache", 9)};
  const std::vector<EqualTimers> rows = listEqualTimers(list);
  ASSERT_EQ(rows.size(), 5u);
  EXPECT_EQ(rows[0].timers, 2u);
  std::uint64_t all = 0;
  for (const EqualTimers& row : rows) all += row.timers;
  EXPECT_EQ(all, 6u);
}

TEST(EqualTimerRows, TheMostComeFirstAndTheSoonestStandsForAll) {
  TimerList list;
  list.timers = {timerOf("A", 10, "", 1), timerOf("B", 10, "", 2), timerOf("B", 10, "", 3),
                 timerOf("B", 10, "", 4), timerOf("C", 10, "", 5), timerOf("C", 10, "", 6)};
  const std::vector<EqualTimers> rows = listEqualTimers(list);
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[0].soonest.method, "B");
  EXPECT_EQ(rows[0].soonest.remainingMilliseconds, 2);
  EXPECT_EQ(rows[1].soonest.method, "C");
  EXPECT_EQ(rows[2].soonest.method, "A");
}

TEST(EqualTimerRows, SayHowSoonAndHowOften) {
  const auto left = [](std::optional<std::int64_t> milliseconds) {
    return toString(cellOf(equalTimersTable(), EqualTimers{1, timerOf("A", {}, "", milliseconds)}, "left"));
  };
  EXPECT_EQ(left(1'500), "1500 ms");
  EXPECT_EQ(left(-3), "0 ms");
  EXPECT_EQ(left(std::numeric_limits<std::int64_t>::min()), "0 ms");
  EXPECT_EQ(left({}), "");
  const auto period = [](std::optional<std::uint32_t> milliseconds) {
    return toString(cellOf(equalTimersTable(), EqualTimers{1, timerOf("A", milliseconds, "", {})}, "period"));
  };
  EXPECT_EQ(period({}), "once");
  EXPECT_EQ(period(0), "0 ms");
  EXPECT_EQ(period(std::numeric_limits<std::uint32_t>::max()), "4294967295 ms");
}

}  // namespace
}  // namespace heapscape::engine
