// SPDX-License-Identifier: MIT
// Items that lie at equal distances: lists, rings, stacks, and arrays with keys beside values.
#include "values/collections/collection.h"

#include <gtest/gtest.h>

namespace heapscape::test {
namespace {

using engine::Address;
using engine::CollectionFacts;
using engine::IndexedItems;
using engine::IndexedStorage;
using engine::ItemCollector;

constexpr Address kValues{0x10000};
constexpr Address kKeys{0x20000};

IndexedStorage valuesIn(std::uint64_t slots, std::uint64_t firstSlot = 0, bool isReversed = false) {
  return {.values = kValues, .valueStride = 16, .slots = slots, .firstSlot = firstSlot, .isReversed = isReversed};
}

CollectionFacts factsOf(std::uint64_t count, bool hasKeys = false) {
  CollectionFacts facts;
  facts.count = count;
  facts.hasKeys = hasKeys;
  return facts;
}

std::vector<std::uint64_t> slotsOf(const IndexedItems& items, std::uint64_t first = 0, std::size_t count = SIZE_MAX) {
  ItemCollector collector(first, count, {});
  EXPECT_EQ(items.collect(collector), "");
  std::vector<std::uint64_t> slots;
  for (const engine::ItemPlace& place : collector.places()) {
    EXPECT_EQ((place.value - kValues) % 16, 0u);
    slots.push_back((place.value - kValues) / 16);
  }
  return slots;
}

using Slots = std::vector<std::uint64_t>;

TEST(IndexedItems, OfAListAreItsFirstSlots) {
  const IndexedItems items(factsOf(3), valuesIn(8));
  EXPECT_EQ(items.facts().damage, "");
  EXPECT_EQ(slotsOf(items), (Slots{0, 1, 2}));
}

TEST(IndexedItems, OfARingGoOnAtTheFront) {
  EXPECT_EQ(slotsOf(IndexedItems(factsOf(4), valuesIn(5, 3))), (Slots{3, 4, 0, 1}));
  EXPECT_EQ(slotsOf(IndexedItems(factsOf(5), valuesIn(5, 4))), (Slots{4, 0, 1, 2, 3})) << "full";
}

TEST(IndexedItems, OfAStackBeginWithTheLastOne) {
  EXPECT_EQ(slotsOf(IndexedItems(factsOf(3), valuesIn(8, 0, true))), (Slots{2, 1, 0}));
}

TEST(IndexedItems, AreReadFromAnyOneOn) {
  const IndexedItems ring(factsOf(4), valuesIn(5, 3));
  EXPECT_EQ(slotsOf(ring, 1, 2), (Slots{4, 0}));
  EXPECT_EQ(slotsOf(ring, 3, 10), (Slots{1}));
  EXPECT_EQ(slotsOf(ring, 4, 10), Slots{});
  EXPECT_EQ(slotsOf(ring, ~0ull, 10), Slots{}) << "far beyond the end";
  EXPECT_EQ(slotsOf(IndexedItems(factsOf(3), valuesIn(8, 0, true)), 1, 1), (Slots{1}));
}

TEST(IndexedItems, HaveKeysBesideTheirValues) {
  IndexedStorage storage = valuesIn(4, 1);
  storage.keys = kKeys;
  storage.keyStride = 4;
  const IndexedItems items(factsOf(2, true), storage);
  ItemCollector collector(0, 10, {});
  items.collect(collector);
  ASSERT_EQ(collector.places().size(), 2u);
  EXPECT_EQ(collector.places()[0].key, kKeys + 4);
  EXPECT_EQ(collector.places()[1].key, kKeys + 8);
  EXPECT_EQ(collector.places()[1].value, kValues + 32);
  EXPECT_EQ(items.itemsBefore(kKeys + 8), 1u);
  EXPECT_EQ(items.itemsBefore(kValues + 32), 1u);
}

TEST(IndexedItems, AreNoMoreThanThereAreSlots) {
  const IndexedItems items(factsOf(12), valuesIn(4));
  EXPECT_EQ(items.facts().damage, "The count of 12 goes beyond the 4 slots that are allocated.");
  EXPECT_EQ(slotsOf(items), (Slots{0, 1, 2, 3}));
  EXPECT_EQ(slotsOf(IndexedItems(factsOf(~0ull), valuesIn(2, 1))), (Slots{1, 0}));
  EXPECT_EQ(IndexedItems(factsOf(4), valuesIn(4)).facts().damage, "") << "just full";
}

TEST(IndexedItems, KeepTheDamageThatIsKnownAlready) {
  CollectionFacts facts = factsOf(12);
  facts.damage = "There is no array.";
  EXPECT_EQ(IndexedItems(facts, valuesIn(4)).facts().damage, "There is no array.");
}

TEST(IndexedItems, WithoutSlotsAreNone) {
  EXPECT_EQ(slotsOf(IndexedItems(factsOf(0), {})), Slots{});
  const IndexedItems damaged(factsOf(3), valuesIn(0, 7));
  EXPECT_EQ(slotsOf(damaged), Slots{});
  EXPECT_EQ(damaged.itemsBefore(kValues), 0u);
  EXPECT_NE(damaged.facts().damage, "");
}

TEST(IndexedItems, AreFoundByAnyByteOfTheirs) {
  const IndexedItems list(factsOf(5), valuesIn(8)), ring(factsOf(6), valuesIn(8, 5)),
      stack(factsOf(5), valuesIn(8, 0, true)), fullRing(factsOf(8), valuesIn(8, 7)),
      beyond(factsOf(2), valuesIn(8, 21));  // a damaged head counts as its remainder, as when collecting
  for (const IndexedItems* items : {&list, &ring, &stack, &fullRing, &beyond}) {
    const Slots slots = slotsOf(*items);
    for (std::size_t i = 0; i < slots.size(); ++i) {
      EXPECT_EQ(items->itemsBefore(kValues + 16 * slots[i]), i);
      EXPECT_EQ(items->itemsBefore(kValues + 16 * slots[i] + 15), i);
    }
  }
}

TEST(IndexedItems, OfPlacesThatAreNotTheirsMayBeAnywhere) {
  const IndexedItems ring(factsOf(3), valuesIn(8, 6));
  EXPECT_EQ(ring.itemsBefore(kValues - 1), 0u);
  EXPECT_EQ(ring.itemsBefore(kValues + 16 * 8), 0u) << "behind the last slot";
  EXPECT_EQ(ring.itemsBefore(kValues + 16 * 3), 0u) << "a slot that is not in use";
  EXPECT_EQ(ring.itemsBefore(Address{}), 0u);
  EXPECT_EQ(ring.itemsBefore(kValues), 2u);
}

TEST(CountDamage, IsACountBeyondTheSlots) {
  EXPECT_EQ(engine::countDamage(0, 0), "");
  EXPECT_EQ(engine::countDamage(4, 4), "");
  EXPECT_EQ(engine::countDamage(1, 0), "The count of 1 goes beyond the 0 slots that are allocated.");
}

}  // namespace
}  // namespace heapscape::test
