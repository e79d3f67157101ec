// SPDX-License-Identifier: MIT
// Which of the items that a collection offers are taken.
#include "values/collections/collection.h"

#include <gtest/gtest.h>

namespace heapscape::test {
namespace {

using engine::Address;
using engine::ItemCollector;
using engine::ItemPlace;

constexpr std::uint64_t kItemsAt = 0x1000;

ItemPlace placeNumber(std::uint64_t number) {
  return {.key = {}, .value = Address{kItemsAt + 8 * number}};
}

/// Offers so many items until no more are wanted; how many were offered.
std::uint64_t offerTo(ItemCollector& items, std::uint64_t count) {
  for (std::uint64_t i = 0; i < count; ++i) {
    if (!items.offer(placeNumber(i))) return i + 1;
  }
  return count;
}

std::vector<std::uint64_t> numbersOf(const std::vector<ItemPlace>& places) {
  std::vector<std::uint64_t> numbers;
  for (const ItemPlace& place : places) numbers.push_back((place.value.value - kItemsAt) / 8);
  return numbers;
}

using Numbers = std::vector<std::uint64_t>;

TEST(ItemCollector, TakesItsWindowAndAsksForNoMore) {
  ItemCollector items(3, 2, {});
  EXPECT_EQ(offerTo(items, 100), 5u);
  EXPECT_EQ(numbersOf(items.places()), (Numbers{3, 4}));
  EXPECT_EQ(items.offered(), 5u);
}

TEST(ItemCollector, TakesWhatThereIsOfAWindowBeyondTheEnd) {
  ItemCollector across(3, 5, {});
  EXPECT_EQ(offerTo(across, 5), 5u);
  EXPECT_EQ(numbersOf(across.places()), (Numbers{3, 4}));
  EXPECT_FALSE(across.isDone());
  ItemCollector behind(5, 5, {});
  offerTo(behind, 5);
  EXPECT_TRUE(behind.places().empty());
}

TEST(ItemCollector, OfNoItemsIsDoneFromTheStart) {
  ItemCollector items(0, 0, {});
  EXPECT_TRUE(items.isDone());
  EXPECT_EQ(offerTo(items, 10), 1u);
  EXPECT_TRUE(items.places().empty());
  EXPECT_FALSE(items.isStopped());
}

TEST(ItemCollector, CountsSkippedItemsAsOffered) {
  ItemCollector items(10, 2, {});
  EXPECT_EQ(items.unwanted(), 10u);
  items.skip(7);
  EXPECT_EQ(items.unwanted(), 3u);
  offerTo(items, 5);  // items 7 to 11
  EXPECT_EQ(numbersOf(items.places()), (Numbers{3, 4}));
  EXPECT_EQ(items.offered(), 12u);
  EXPECT_EQ(items.unwanted(), 0u);
}

TEST(ItemCollector, HandsItemsOverInPlaceOfKeepingThem) {
  Numbers seen;
  const auto visit = [&](const ItemPlace& place) {
    seen.push_back((place.value.value - kItemsAt) / 8);
    return seen.size() < 3;
  };
  ItemCollector items(visit, {}, 4);
  EXPECT_EQ(offerTo(items, 100), 7u);
  EXPECT_EQ(seen, (Numbers{4, 5, 6}));
  EXPECT_TRUE(items.places().empty());
  EXPECT_TRUE(items.isDone());
}

TEST(ItemCollector, IsStoppedAtOnceOrWithinAFewThousandItems) {
  std::stop_source stop;
  ItemCollector running([](const ItemPlace&) { return true; }, stop.get_token());
  EXPECT_EQ(offerTo(running, 10), 10u);
  EXPECT_FALSE(running.isStopped());
  stop.request_stop();
  EXPECT_LE(offerTo(running, 100'000), 5000u);
  EXPECT_TRUE(running.isStopped());
  EXPECT_FALSE(running.offer(placeNumber(0))) << "once stopped, for ever";

  ItemCollector late(0, 10, stop.get_token());
  EXPECT_EQ(offerTo(late, 10), 1u);
  EXPECT_TRUE(late.isStopped());
}

TEST(FewItems, AreOfferedInTheirOrderWithWhatIsKnownOfThem) {
  engine::CollectionFacts facts;
  facts.count = 3;
  std::vector<ItemPlace> known{placeNumber(2), placeNumber(0), placeNumber(1)};
  known[1].label = "Target";
  const engine::FewItems few(facts, known);
  ItemCollector all(0, 10, {});
  EXPECT_EQ(few.collect(all), "");
  EXPECT_EQ(numbersOf(all.places()), (Numbers{2, 0, 1}));
  EXPECT_EQ(all.places()[1].label, "Target");
  ItemCollector one(1, 1, {});
  few.collect(one);
  EXPECT_EQ(numbersOf(one.places()), (Numbers{0}));
  EXPECT_EQ(one.offered(), 2u);
  EXPECT_EQ(few.itemsBefore(Address{kItemsAt}), 0u);
  EXPECT_FALSE(few.itemIn(Address{kItemsAt}));
}

}  // namespace
}  // namespace heapscape::test
