// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "base/result.h"

namespace heapscape::engine {
namespace {

Result<int> half(int value) {
  if (value % 2) return failure(ErrorCode::BadQuery, "The number is odd.", "Give an even one.");
  return value / 2;
}

Result<int> quarter(int value) {
  HEAPSCAPE_TRY(const int first, half(value));
  HEAPSCAPE_TRY(const int second, half(first));
  return second;
}

Outcome<int> quarterUnlessStopped(int value, bool stopped) {
  if (stopped) return tl::unexpected(Unfinished::cancelled());
  HEAPSCAPE_CHECK(half(value));
  HEAPSCAPE_TRY(const int result, quarter(value));
  return result;
}

TEST(Result, HandsOnTheFirstFailure) {
  EXPECT_EQ(quarter(12).value(), 3);
  ASSERT_FALSE(quarter(6));
  EXPECT_EQ(quarter(6).error().code, ErrorCode::BadQuery);
}

TEST(Error, SaysBothSentencesOnOneLine) {
  EXPECT_EQ(half(1).error().message(), "The number is odd. Give an even one.");
  EXPECT_EQ((Error{ErrorCode::Damaged, "It is damaged."}).message(), "It is damaged.");
}

TEST(Outcome, KeepsCancellationApartFromFailure) {
  ASSERT_TRUE(quarterUnlessStopped(8, false));
  const auto failed = quarterUnlessStopped(3, false);
  ASSERT_FALSE(failed);
  EXPECT_FALSE(failed.error().isCancelled());
  EXPECT_EQ(failed.error().error().what, "The number is odd.");
  const auto stopped = quarterUnlessStopped(8, true);
  ASSERT_FALSE(stopped);
  EXPECT_TRUE(stopped.error().isCancelled());
}

}  // namespace
}  // namespace heapscape::engine
