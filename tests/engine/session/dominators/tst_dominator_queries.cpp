// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>

#include "dominator_questions.h"
#include "session/dominators/dominators_query.h"
#include "session/objects/object_query.h"
#include "session/objects/retained_query.h"

namespace heapscape::test {
namespace {

using engine::Address;
using engine::DominatorGrouping;
using engine::DominatorKind;
using engine::DominatorNode;

const engine::Snapshot& shop() {
  return retainedWithoutTypes("shop-10");
}

TEST(DominatorQueries, OfAnObjectThatNothingHoldsAreEmpty) {
  Address unreachable;
  engine::forEachObject(shop(), {}, [&](const engine::ObjectRow& row) {
    const auto retained = engine::retainedOf(shop(), row.address);
    if (retained && !retained->isReachable && !shop().types()[row.type.value].isFree) unreachable = row.address;
    return !unreachable;
  });
  ASSERT_TRUE(unreachable);
  for (const DominatorGrouping grouping : kGroupings) {
    EXPECT_TRUE(engine::dominatorsOf(shop(), grouping, unreachable, {})->empty());
    EXPECT_FALSE(engine::dominatorNodeOf(shop(), grouping, unreachable, {})->has_value());
    EXPECT_TRUE(engine::dominatorsOf(shop(), grouping, Address{0x1000}, {})->empty());
  }
}

TEST(DominatorQueries, OfOneObjectAloneAreItsOwnTree) {
  const engine::RetainedRow largest = engine::largestRetained(shop(), 1).objects.at(0);
  for (const DominatorGrouping grouping : kGroupings) {
    const auto node = engine::dominatorNodeOf(shop(), grouping, largest.object, {});
    ASSERT_TRUE(node && *node);
    EXPECT_EQ((*node)->kind, DominatorKind::Object);
    EXPECT_EQ((*node)->retainedBytes, largest.retainedBytes);
    expectWholeChildren(**node, childrenOf(shop(), grouping, (*node)->node));
    EXPECT_EQ(engine::dominatorNodeOf(shop(), grouping, largest.object, {})->value().node, (*node)->node);
  }
}

TEST(DominatorQueries, FindTheLargestOfAType) {
  const engine::TypeId type = heapscape::test::findType(shop(), "Catalog.Customer");
  const auto largest = engine::largestOfType(shop(), type, {});
  ASSERT_TRUE(largest && *largest);
  const std::uint64_t bytes = engine::retainedOf(shop(), *largest)->retainedBytes;
  engine::ObjectFilter customers;
  customers.type = type;
  engine::forEachObject(shop(), customers, [&](const engine::ObjectRow& row) {
    EXPECT_LE(engine::retainedOf(shop(), row.address)->retainedBytes, bytes);
    return true;
  });
  EXPECT_FALSE(*engine::largestOfType(shop(), {}, {}));
}

TEST(DominatorQueries, PageThroughChildrenInOneOrder) {
  const std::vector<DominatorNode> all = childrenOf(shop(), DominatorGrouping::Object, 0);
  ASSERT_GT(all.size(), 100u);
  for (const std::uint64_t skip : {std::uint64_t{0}, std::uint64_t{37}, all.size() - 1, all.size() + 5}) {
    const auto page = engine::dominatedBy(shop(), DominatorGrouping::Object, 0, skip, 20, {});
    ASSERT_TRUE(page);
    EXPECT_EQ(page->total, all.size());
    ASSERT_EQ(page->nodes.size(), skip < all.size() ? std::min<std::uint64_t>(20, all.size() - skip) : 0);
    for (std::size_t i = 0; i < page->nodes.size(); ++i) EXPECT_EQ(page->nodes[i].node, all[skip + i].node);
  }
}

TEST(DominatorQueries, TellWhenThereIsNoSuchNodeOrNoTreeYet) {
  for (const DominatorGrouping grouping : kGroupings) {
    const auto wrong = engine::dominatedBy(shop(), grouping, 0xfffffff0, 0, 10, {});
    ASSERT_FALSE(wrong);
    EXPECT_EQ(wrong.error().error().code, engine::ErrorCode::NotFound);
    EXPECT_FALSE(engine::dominatorPicture(shop(), grouping, {.top = 0xfffffff0}, {}));
  }
  const engine::Snapshot& early = openedDump("shop-10");
  const auto tooEarly = engine::dominatedBy(early, DominatorGrouping::Object, 0, 0, 10, {});
  ASSERT_FALSE(tooEarly);
  EXPECT_EQ(tooEarly.error().error().code, engine::ErrorCode::NotFound);
  EXPECT_TRUE(engine::forEachDominated(early, [](const auto&) { return true; }, {}));
}

TEST(DominatorQueries, StopAndCanBeAskedAgain) {
  const engine::Snapshot seen = seenFrom(shop(), {engine::largestRetained(shop(), 1).objects.at(0).object});
  std::stop_source stop;
  stop.request_stop();
  for (const DominatorGrouping grouping : kGroupings) {
    const auto stopped = engine::dominatorPicture(seen, grouping, {}, stop.get_token());
    ASSERT_FALSE(stopped);
    EXPECT_TRUE(stopped.error().isCancelled());
    EXPECT_GT(pictureOf(seen, grouping).size(), 1u);
  }
}

}  // namespace
}  // namespace heapscape::test
