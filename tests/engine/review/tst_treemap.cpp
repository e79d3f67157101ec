// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "review/treemap.h"

namespace heapscape::engine {
namespace {

constexpr TreemapRect kArea{10, 20, 600, 400};
constexpr double kClose = 1e-6;

double areaOf(const TreemapRect& rect) {
  return rect.width * rect.height;
}

bool overlap(const TreemapRect& left, const TreemapRect& right) {
  return left.x + left.width > right.x + kClose && right.x + right.width > left.x + kClose &&
         left.y + left.height > right.y + kClose && right.y + right.height > left.y + kClose;
}

TEST(Treemap, GivesEachWeightItsShareOfTheArea) {
  const std::vector<double> weights{6, 6, 4, 3, 2, 2, 1};
  const auto rects = squarify(weights, kArea);
  ASSERT_EQ(rects.size(), weights.size());
  for (std::size_t i = 0; i < rects.size(); ++i) {
    EXPECT_NEAR(areaOf(rects[i]), areaOf(kArea) * weights[i] / 24, 1e-3) << i;
  }
}

TEST(Treemap, MakesThePublishedExample) {
  // Bruls, Huizing and van Wijk, figure 4: 6 by 4, two in the first column of width 3.
  const auto rects = squarify(std::vector<double>{6, 6, 4, 3, 2, 2, 1}, {0, 0, 6, 4});
  EXPECT_NEAR(rects[0].width, 3, kClose);
  EXPECT_NEAR(rects[0].height, 2, kClose);
  EXPECT_NEAR(rects[1].y, 2, kClose);
  EXPECT_NEAR(rects[2].width, 4 / (7.0 / 3), 1e-3);
  EXPECT_NEAR(rects[2].height, 7.0 / 3, 1e-3);
}

TEST(Treemap, CoversTheAreaWithoutOverlap) {
  std::vector<double> weights;
  for (int i = 0; i < 200; ++i) weights.push_back(static_cast<double>((i * 7919) % 101) + 0.5);
  const auto rects = squarify(weights, kArea);
  double sum = 0;
  for (std::size_t i = 0; i < rects.size(); ++i) {
    sum += areaOf(rects[i]);
    EXPECT_GE(rects[i].x, kArea.x - kClose);
    EXPECT_LE(rects[i].x + rects[i].width, kArea.x + kArea.width + kClose);
    EXPECT_LE(rects[i].y + rects[i].height, kArea.y + kArea.height + kClose);
    for (std::size_t j = 0; j < i; ++j) ASSERT_FALSE(overlap(rects[i], rects[j])) << i << " and " << j;
  }
  EXPECT_NEAR(sum, areaOf(kArea), 1e-3);
}

TEST(Treemap, GivesNothingToWhatWeighsNothing) {
  const double none = std::numeric_limits<double>::quiet_NaN();
  const double endless = std::numeric_limits<double>::infinity();
  const auto rects = squarify(std::vector<double>{0, 5, -1, none, endless, 5}, kArea);
  for (const std::size_t i : {0u, 2u, 3u, 4u}) EXPECT_EQ(areaOf(rects[i]), 0) << i;
  EXPECT_NEAR(areaOf(rects[1]), areaOf(kArea) / 2, 1e-3);
  for (const auto& rect : squarify(std::vector<double>{0, 0}, kArea)) EXPECT_EQ(areaOf(rect), 0);
  for (const auto& rect : squarify(std::vector<double>{1, 2}, {0, 0, 0, 10})) EXPECT_EQ(areaOf(rect), 0);
  EXPECT_TRUE(squarify({}, kArea).empty());
}

TEST(Treemap, SurvivesWeightsOfAnySize) {
  const double most = std::numeric_limits<double>::max();
  const auto rects = squarify(std::vector<double>{most, most, 1, std::numeric_limits<double>::denorm_min()}, kArea);
  EXPECT_NEAR(areaOf(rects[0]) + areaOf(rects[1]), areaOf(kArea), 1e-3);
  for (const TreemapRect& rect : rects) EXPECT_TRUE(std::isfinite(rect.x + rect.y + rect.width + rect.height));
}

}  // namespace
}  // namespace heapscape::engine
