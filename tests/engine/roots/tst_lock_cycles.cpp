// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "session/threads/locks_query.h"

namespace heapscape::engine {
namespace {

using Cycles = std::vector<std::vector<std::uint32_t>>;

TEST(LockCycles, AreNoneWhereSomebodyRuns) {
  EXPECT_EQ(findLockCycles({}), Cycles{});
  EXPECT_EQ(findLockCycles({{1, {2}}, {2, {3}}, {4, {3}}}), Cycles{});
}

TEST(LockCycles, BeginWithTheLowestAndFollowWhoWaitsForWhom) {
  EXPECT_EQ(findLockCycles({{7, {3}}, {3, {9}}, {9, {7}}}), (Cycles{{3, 9, 7}}));
}

TEST(LockCycles, LeaveOutThoseThatOnlyWaitForACircle) {
  EXPECT_EQ(findLockCycles({{1, {2}}, {2, {5}}, {5, {6}}, {6, {5}}, {8, {1}}}), (Cycles{{5, 6}}));
}

TEST(LockCycles, AreFoundEachOnce) {
  EXPECT_EQ(findLockCycles({{1, {2}}, {2, {1}}, {3, {4}}, {4, {3}}, {5, {1}}, {6, {3}}}), (Cycles{{1, 2}, {3, 4}}));
}

TEST(LockCycles, GoThroughAnyOfSeveralThatHoldALock) {
  EXPECT_EQ(findLockCycles({{1, {5, 2}}, {2, {3}}, {3, {1}}}), (Cycles{{1, 2, 3}}));
  EXPECT_EQ(findLockCycles({{1, {5, 2}}, {2, {6, 7}}, {7, {8}}}), Cycles{});
  EXPECT_EQ(findLockCycles({{1, {2, 3}}, {2, {3}}, {3, {1}}}), (Cycles{{1, 3}})) << "the shortest";
}

TEST(LockCycles, MayBeAsLongAsThereAreThreads) {
  constexpr std::uint32_t kThreads = 50'000;
  WaitsFor waitsFor;
  for (std::uint32_t i = 1; i <= kThreads; ++i) waitsFor[i] = {i % kThreads + 1};
  const Cycles cycles = findLockCycles(waitsFor);
  ASSERT_EQ(cycles.size(), 1u);
  EXPECT_EQ(cycles.front().size(), kThreads);
  EXPECT_EQ(cycles.front().front(), 1u);
}

}  // namespace
}  // namespace heapscape::engine
