// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "session/snapshot/row_order.h"

namespace heapscape::engine {
namespace {

// More than a run of the sort, with many equal keys.
constexpr std::uint32_t kRows = 100'000;

std::uint32_t keyOf(std::uint32_t row) {
  return row * 2654435761u >> 24;
}

bool isBefore(std::uint32_t left, std::uint32_t right) {
  return keyOf(left) < keyOf(right);
}

TEST(RowOrder, KeepsAllRowsAsGivenWithoutATestAndAComparison) {
  std::vector<std::uint32_t> expected(kRows);
  std::iota(expected.begin(), expected.end(), 0u);
  EXPECT_EQ(*orderRows(kRows, {}, {}, {}), expected);
  EXPECT_TRUE(orderRows(0, {}, isBefore, {})->empty());
}

TEST(RowOrder, SortsStably) {
  std::vector<std::uint32_t> expected(kRows);
  std::iota(expected.begin(), expected.end(), 0u);
  std::stable_sort(expected.begin(), expected.end(), isBefore);
  EXPECT_EQ(*orderRows(kRows, {}, isBefore, {}), expected);
}

TEST(RowOrder, LeavesOutWhatIsNotKept) {
  const auto even = [](std::uint32_t row) { return row % 2 == 0; };
  const auto rows = orderRows(kRows, even, isBefore, {});
  ASSERT_TRUE(rows);
  EXPECT_EQ(rows->size(), kRows / 2);
  EXPECT_TRUE(std::all_of(rows->begin(), rows->end(), even));
  EXPECT_TRUE(std::is_sorted(rows->begin(), rows->end(), isBefore));
}

TEST(RowOrder, CanBeStoppedWhileItSorts) {
  std::stop_source stop;
  std::uint32_t comparisons = 0;
  const auto compare = [&](std::uint32_t left, std::uint32_t right) {
    if (++comparisons == 1000) stop.request_stop();
    return isBefore(left, right);
  };
  const auto rows = orderRows(kRows, {}, compare, stop.get_token());
  ASSERT_FALSE(rows);
  EXPECT_TRUE(rows.error().isCancelled());
  EXPECT_LT(comparisons, kRows * 4);
}

}  // namespace
}  // namespace heapscape::engine
