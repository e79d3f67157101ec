// SPDX-License-Identifier: MIT
// Chains of nodes that come back to where they have been.
#include <gtest/gtest.h>

#include <cstdint>
#include <optional>

#include "values/collections/node_chain.h"

namespace heapscape::test {
namespace {

using engine::Address;
using engine::CycleWatch;

/// Where a chain of `tail` nodes that leads into a circle of `circle` is told to repeat itself, within so many steps.
std::optional<std::uint64_t> repeatedAfter(std::uint64_t tail, std::uint64_t circle, std::uint64_t steps) {
  CycleWatch watch;
  for (std::uint64_t step = 0; step < steps; ++step) {
    const std::uint64_t node = step < tail || !circle ? step : tail + (step - tail) % circle;
    if (watch.isRepeated(Address{8 * (node + 1)})) return step;
  }
  return std::nullopt;
}

TEST(CycleWatch, SeesNoneInAChainWithAnEnd) {
  EXPECT_EQ(repeatedAfter(0, 0, 100'000), std::nullopt);
}

TEST(CycleWatch, FindsEveryCircleAndOnlyOnceItWasGoneRound) {
  for (std::uint64_t tail = 0; tail < 40; ++tail) {
    for (std::uint64_t circle = 1; circle < 40; ++circle) {
      const auto step = repeatedAfter(tail, circle, 1000);
      ASSERT_TRUE(step) << tail << " " << circle;
      EXPECT_GE(*step, tail + circle) << "no node was passed twice yet";
      EXPECT_LE(*step, 4 * (tail + circle)) << "each node is passed a few times at most";
    }
  }
}

TEST(CycleWatch, FindsASmallCircleBehindALongWay) {
  const auto step = repeatedAfter(1'000'000, 1, 4'000'000);
  ASSERT_TRUE(step);
  EXPECT_GT(*step, 1'000'000u);
}

}  // namespace
}  // namespace heapscape::test
