// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include "base/large_array.h"

namespace heapscape::engine {
namespace {

constexpr std::size_t kElements = 1'000'003;  // beyond a huge page, and not a whole number of pages

LargeArray<std::uint64_t> counting(std::size_t size = kElements) {
  LargeArray<std::uint64_t> array(size);
  for (std::size_t i = 0; i < size; ++i) array[i] = i;
  return array;
}

TEST(LargeArray, BeginsAsZeros) {
  const LargeArray<std::uint32_t> array(kElements);
  EXPECT_EQ(array.size(), kElements);
  EXPECT_EQ(std::ranges::count(array.elements(), 0u), static_cast<std::ptrdiff_t>(kElements));
}

TEST(LargeArray, WithoutElementsIsNothing) {
  EXPECT_TRUE(LargeArray<std::uint32_t>().elements().empty());
  EXPECT_TRUE(LargeArray<std::uint32_t>(0).elements().empty());
}

TEST(LargeArray, MoreThanThereIsRoomForIsRefused) {
  EXPECT_THROW(LargeArray<std::uint64_t>(SIZE_MAX), std::bad_alloc);
  EXPECT_THROW(LargeArray<std::uint64_t>(SIZE_MAX / 16), std::bad_alloc);
}

TEST(LargeArray, TakingMemoryBeforehandChangesNothing) {
  LargeArray<std::uint64_t> array = counting();
  array.populate(0, kElements);
  array.populate(kElements - 1, 100);  // past its end
  array.populate(kElements, 1);
  EXPECT_EQ(array[kElements - 1], kElements - 1);
  EXPECT_EQ(array[0], 0u);
}

TEST(LargeArray, WhatIsGivenBackTakesNothingOfTheRest) {
  LargeArray<std::uint64_t> array = counting();
  const std::size_t first = 1000, end = kElements - 1000;
  array.discard(first, end - first);
  for (std::size_t i = 0; i < first; ++i) ASSERT_EQ(array[i], i);
  for (std::size_t i = end; i < kElements; ++i) ASSERT_EQ(array[i], i);
}

TEST(LargeArray, MovesWithItsElements) {
  LargeArray<std::uint64_t> from = counting();
  LargeArray<std::uint64_t> to = counting(10);
  to = std::move(from);
  EXPECT_EQ(to.size(), kElements);
  EXPECT_EQ(to[kElements - 1], kElements - 1);
}

TEST(LargeArray, GivesUpWhatIsBehind) {
  LargeArray<std::uint64_t> array = counting();
  array.truncate(3);
  EXPECT_EQ(array.elements().size(), 3u);
  EXPECT_EQ(array.memoryBytes(), 24u);
}

TEST(LargeArray, ViewsWhatLiesElsewhere) {
  const std::array<std::uint32_t, 3> elsewhere{4, 5, 6};
  const auto view = LargeArray<std::uint32_t>::viewOf(elsewhere);
  EXPECT_EQ(view.data(), elsewhere.data());
  EXPECT_TRUE(std::ranges::equal(view.elements(), elsewhere));
}

TEST(LargeArray, ItsMemoryServesOtherElementsOfThatSize) {
  const LargeArray<std::int64_t> reused = counting().reuse<std::int64_t>();
  ASSERT_EQ(reused.size(), kElements);
  EXPECT_EQ(reused[kElements - 1], static_cast<std::int64_t>(kElements - 1));
}

TEST(LargeArray, IsDividedIntoTwoThatOutliveEachOther) {
  auto halves = counting().split<std::uint32_t>();
  ASSERT_EQ(halves.first.size(), kElements);
  ASSERT_EQ(halves.second.size(), kElements);
  std::ranges::fill(std::span(halves.first.data(), kElements), 1u);
  std::ranges::fill(std::span(halves.second.data(), kElements), 2u);
  EXPECT_EQ(halves.first[kElements - 1], 1u);
  halves.first = {};
  EXPECT_EQ(halves.second[0], 2u);
  EXPECT_EQ(halves.second[kElements - 1], 2u);
}

}  // namespace
}  // namespace heapscape::engine
