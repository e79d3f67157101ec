// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

#include "session/dominators/accumulation_points.h"
#include "session/objects/retained_query.h"
#include "session/open/retained_stage.h"
#include "session/references/retained_flow.h"
#include "support/opened_snapshot.h"
#include "support/truth.h"

namespace heapscape::test {
namespace {

class AccumulationPointsOf : public testing::TestWithParam<std::string> {
 protected:
  AccumulationPointsOf() : snapshot(*engine::addRetained(openedDump(GetParam()), {}, nullptr, {})) {}
  engine::Snapshot snapshot;
};

INSTANTIATE_TEST_SUITE_P(Shop, AccumulationPointsOf, testing::Values("shop-8", "shop-10"),
                         [](const auto& dump) { return testName(dump.param); });

TEST_P(AccumulationPointsOf, AreWhereRetainedSizeDropsMost) {
  const auto points = engine::accumulationPoints(snapshot, 10, {});
  ASSERT_TRUE(points);
  ASSERT_EQ(points->size(), 10u);
  const auto& retention = *snapshot.contents().retention;
  const std::uint32_t reached = retention.tree.reachedCount();
  std::vector<std::uint64_t> largestChild(reached + 1);
  for (std::uint32_t number = 1; number <= reached; ++number) {
    std::uint64_t& largest = largestChild[retention.tree.dominatorOf(number)];
    largest = std::max(largest, retention.sizes.bytes[number]);
  }
  std::uint64_t largestDrop = 0;
  for (std::uint32_t number = 1; number <= reached; ++number) {
    if (retention.tree.isObject(retention.tree.vertexOf(number)))
      largestDrop = std::max(largestDrop, retention.sizes.bytes[number] - largestChild[number]);
  }
  std::set<engine::Address> objects;
  std::uint64_t found = 0;
  for (const engine::AccumulationPoint& point : *points) {
    EXPECT_TRUE(objects.insert(point.object).second);
    EXPECT_EQ(point.retainedBytes, engine::retainedOf(snapshot, point.object)->retainedBytes);
    EXPECT_LT(point.largestChildBytes, point.retainedBytes);
    ASSERT_GE(point.way.size(), 2u);
    EXPECT_EQ(point.way.back(), snapshot.types()[point.type.value].name);
    // What leads there is named by whose it is, or as several where no single root does.
    EXPECT_NE(point.way.front(), "stack");
    std::uint32_t top = retention.tree.numberOf(snapshot.contents().heap->index.idOf(point.object).value);
    while (retention.tree.dominatorOf(top)) top = retention.tree.dominatorOf(top);
    EXPECT_EQ(point.way.front() == "several roots", retention.tree.isObject(retention.tree.vertexOf(top)));
    found = std::max(found, point.retainedBytes - point.largestChildBytes);
  }
  EXPECT_GE(found, largestDrop);
  EXPECT_TRUE(std::ranges::is_sorted(*points, std::ranges::greater(), &engine::AccumulationPoint::retainedBytes));
}

TEST_P(AccumulationPointsOf, AreNotTheMembersOfOneChain) {
  const auto points = engine::accumulationPoints(snapshot, 10, {});
  ASSERT_TRUE(points);
  for (const engine::AccumulationPoint& point : *points)
    EXPECT_LT(point.largestChildBytes * 100, point.retainedBytes * engine::RetainedFlow::kChainPercent);
}

}  // namespace
}  // namespace heapscape::test
