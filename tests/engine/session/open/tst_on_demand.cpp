// SPDX-License-Identifier: MIT
// What is made when it is first asked for, how long stages took, and how much of a heap was read.
#include "session/snapshot/contents.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <thread>

#include "session/open/summarise.h"
#include "session/snapshot/stage_clock.h"

namespace heapscape::engine {
namespace {

Outcome<int> made(int value) {
  return value;
}

TEST(OnDemand, IsMadeOnceAndShared) {
  const OnDemand<int> number;
  const auto first = number.get([] { return made(7); });
  const auto second = number.get([]() -> Outcome<int> { throw std::logic_error("made again"); });
  ASSERT_TRUE(first && second);
  EXPECT_EQ(**first, 7);
  EXPECT_EQ(*first, *second) << "the same one, not an equal one";
}

TEST(OnDemand, IsTriedAgainAfterAMakingThatFailedOrWasCancelled) {
  const OnDemand<int> number;
  const auto failed = number.get([]() -> Outcome<int> {
    return tl::unexpected(Unfinished(Error{ErrorCode::Damaged, "It is broken."}));
  });
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().error().what, "It is broken.");
  const auto cancelled = number.get([]() -> Outcome<int> { return tl::unexpected(Unfinished::cancelled()); });
  ASSERT_FALSE(cancelled);
  EXPECT_TRUE(cancelled.error().isCancelled());
  const auto third = number.get([] { return made(3); });
  ASSERT_TRUE(third);
  EXPECT_EQ(**third, 3);
}

TEST(OnDemand, IsMadeOnceThoughManyAskAtTheSameTime) {
  const OnDemand<int> number;
  std::atomic<int> makings = 0, wrong = 0;
  const auto ask = [&] {
    const auto got = number.get([&] {
      std::this_thread::yield();
      return made(++makings);
    });
    if (!got || **got != 1) ++wrong;
  };
  std::vector<std::thread> threads;
  for (int i = 0; i < 16; ++i) threads.emplace_back(ask);
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(makings, 1);
  EXPECT_EQ(wrong, 0);
}

TEST(OnDemand, LivesOnWithWhoGotIt) {
  std::shared_ptr<const std::string> kept;
  {
    const OnDemand<std::string> text;
    kept = *text.get([]() -> Outcome<std::string> { return std::string("kept"); });
  }
  EXPECT_EQ(*kept, "kept");
}

TEST(StageClock, NotesAStageWhenItEnds) {
  std::vector<StageTiming> timings;
  {
    const StageClock outer(timings, "references");
    const StageClock inner(timings, "roots");
    EXPECT_TRUE(timings.empty());
  }
  ASSERT_EQ(timings.size(), 2u);
  EXPECT_EQ(timings[0].stage, "roots");
  EXPECT_EQ(timings[1].stage, "references");
  EXPECT_GE(timings[1].seconds, timings[0].seconds);
}

TEST(StageClock, KeepsTheNewestTimeOfAStageThatWasDoneAgain) {
  std::vector<StageTiming> timings{{"walk", -1}, {"roots", -1}, {"names", -1}};
  { const StageClock again(timings, "roots"); }
  ASSERT_EQ(timings.size(), 3u);
  EXPECT_EQ(timings[0].seconds, -1);
  EXPECT_GE(timings[1].seconds, 0);
  EXPECT_EQ(timings[2].seconds, -1);
}

TEST(CoverageText, LooksWholeOnlyIfAllWasRead) {
  EXPECT_EQ(coverageText(1), "100.00%");
  EXPECT_EQ(coverageText(0.5), "50.00%");
  EXPECT_EQ(coverageText(0), "0.00%");
  EXPECT_EQ(coverageText(0.99999), "99.99%");
  EXPECT_EQ(coverageText(std::nextafter(1.0, 0.0)), "99.99%");
  EXPECT_EQ(coverageText(coverageOf(1ull << 40, 8)), "99.99%") << "one object of a terabyte";
  EXPECT_EQ(coverageText(coverageOf(100, 200)), "0.00%") << "more unread than there is";
}

}  // namespace
}  // namespace heapscape::engine
