// SPDX-License-Identifier: MIT
// What is said of the figures of one row.
#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "insight/trend/trend.h"

namespace heapscape::engine {
namespace {

using Values = std::vector<std::uint64_t>;

std::int64_t slope(const Values& values) {
  std::vector<std::uint32_t> places(values.size());
  for (std::uint32_t i = 0; i < places.size(); ++i) places[i] = i;
  return slopeOf(values, places);
}

TEST(TrendVerdict, GrowsSteadilyIfItNeverFallsAndNotByOneStepAlone) {
  EXPECT_EQ(verdictOf(Values{100, 200, 300}), TrendVerdict::GrowsSteadily);
  EXPECT_EQ(verdictOf(Values{100, 100, 150, 220}), TrendVerdict::GrowsSteadily) << "it may rest";
  EXPECT_EQ(verdictOf(Values{0, 500, 700}), TrendVerdict::GrowsSteadily) << "new, and grows on";
  EXPECT_EQ(verdictOf(Values{1000, 1500, 1490, 2000}), TrendVerdict::GrowsSteadily) << "a percent less is no fall";
  EXPECT_EQ(verdictOf(Values{1000, 1009, 1018, 1027}), TrendVerdict::GrowsSteadily)
      << "steps of less than a percent that add up";
}

TEST(TrendVerdict, GrewOnceIfOneStepIsNearlyAllOfIt) {
  EXPECT_EQ(verdictOf(Values{100, 100, 900}), TrendVerdict::GrewOnce);
  EXPECT_EQ(verdictOf(Values{100, 900, 901}), TrendVerdict::GrewOnce);
  EXPECT_EQ(verdictOf(Values{100, 200}), TrendVerdict::GrewOnce) << "two dumps show no steadiness";
  EXPECT_EQ(verdictOf(Values{100, 190, 200}), TrendVerdict::GrowsSteadily) << "nine tenths, and not more";
}

TEST(TrendVerdict, NewIfItIsAsLargeAsInTheEndAsSoonAsItIsThere) {
  EXPECT_EQ(verdictOf(Values{0, 0, 80}), TrendVerdict::New);
  EXPECT_EQ(verdictOf(Values{0, 80, 80}), TrendVerdict::New);
  EXPECT_EQ(verdictOf(Values{0, 80}), TrendVerdict::New);
}

TEST(TrendVerdict, ComesAndGoesIfItRisesAndFalls) {
  EXPECT_EQ(verdictOf(Values{0, 80, 0}), TrendVerdict::ComesAndGoes);
  EXPECT_EQ(verdictOf(Values{100, 20, 300}), TrendVerdict::ComesAndGoes) << "however much more there is in the end";
  EXPECT_EQ(verdictOf(Values{300, 500, 100}), TrendVerdict::ComesAndGoes);
}

TEST(TrendVerdict, LevelIfAllAreWithinAPercent) {
  EXPECT_EQ(verdictOf(Values{1000, 1010, 1001}), TrendVerdict::Level);
  EXPECT_EQ(verdictOf(Values{0, 0, 0}), TrendVerdict::Level);
  EXPECT_EQ(verdictOf(Values{5}), TrendVerdict::Level);
  EXPECT_EQ(verdictOf(Values{}), TrendVerdict::Level);
  EXPECT_NE(verdictOf(Values{1000, 1011, 1011}), TrendVerdict::Level);
}

TEST(TrendVerdict, ShrinksIfItNeverRises) {
  EXPECT_EQ(verdictOf(Values{300, 200, 100}), TrendVerdict::Shrinks);
  EXPECT_EQ(verdictOf(Values{300, 300, 0}), TrendVerdict::Shrinks);
}

TEST(TrendSlope, IsThatOfTheLineWithTheLeastSquares) {
  EXPECT_EQ(slope({10, 30, 50}), 20);
  EXPECT_EQ(slope({0, 0, 90}), 45) << "not the last less the first, by the steps";
  EXPECT_EQ(slope({50, 30, 10}), -20);
  EXPECT_EQ(slope({7, 7, 7}), 0);
  EXPECT_EQ(slope({7}), 0);
  EXPECT_EQ(slope({1, 2, 2, 4}), 1) << "0.9, rounded";
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max() / 4;
  EXPECT_EQ(slope({0, kMost, 2 * kMost}), static_cast<std::int64_t>(kMost));
}

TEST(TrendSlope, CountsThePlacesOfDumpsThatAreNotThere) {
  EXPECT_EQ(slopeOf(Values{10, 70}, std::vector<std::uint32_t>{0, 3}), 20);
}

TEST(TrendSeries, IsJudgedByCountsWhereItHasNoBytes) {
  TrendSeries time{.counts = {1, 5, 9}, .bytes = {0, 0, 0}};
  time.judge(std::vector<std::uint32_t>{0, 1, 2});
  EXPECT_EQ(time.verdict, TrendVerdict::GrowsSteadily);
  EXPECT_EQ(time.slope, 0) << "bytes, of which there are none";
}

TEST(Sparkline, HasTheHighestBarForTheLargestAndAPointForNone) {
  EXPECT_EQ(sparkline(Values{0, 1, 50, 100}), "·▁▄█");
  EXPECT_EQ(sparkline(Values{}), "");
  EXPECT_EQ(sparkline(Values{0, 0}), "··");
}

}  // namespace
}  // namespace heapscape::engine
