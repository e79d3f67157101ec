// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <random>
#include <set>
#include <vector>

#include "heap/type_index.h"

namespace heapscape::engine {
namespace {

TEST(TypeIndex, FindsEachMethodTableByItsNumberHoweverManyThereAre) {
  // Side by side as the runtime lays them, some far away, and such that only differ in their upper half.
  std::mt19937_64 random(5);
  std::set<std::uint64_t> known;
  for (std::uint64_t i = 0; i < 6000; ++i) known.insert(0x7f0012340000 + 0x48 * i);
  for (int i = 0; i < 3000; ++i) known.insert(random() % (1ull << 44) * 8);
  for (std::uint64_t i = 1; i < 3000; ++i) known.insert(i << 32);

  TypeIndex index;
  std::uint32_t number = 0;
  for (const std::uint64_t methodTable : known) {
    EXPECT_EQ(index.insert({methodTable}, {.baseSize = 24 + number}).value, number);
    ++number;
  }
  ASSERT_EQ(index.size(), known.size());

  number = 0;
  for (const std::uint64_t methodTable : known) {
    const TypeIndex::Slot* slot = index.find(methodTable);
    ASSERT_TRUE(slot) << methodTable;
    EXPECT_EQ(slot->type, number);
    EXPECT_EQ(slot->baseSize, 24 + number);
    EXPECT_EQ(index.methodTable({number}).value, methodTable);
    EXPECT_EQ(index.shape({number}).baseSize, 24 + number);
    ++number;
  }
  for (const std::uint64_t methodTable : known) {
    if (known.contains(methodTable + 8)) continue;
    EXPECT_FALSE(index.find(methodTable + 8));
  }
}

TEST(TypeIndex, LeavesWhatItHasFoundWhereItIsWhenItGrows) {
  TypeIndex index;
  std::vector<const TypeIndex::Slot*> found;
  for (std::uint32_t i = 0; i < 40'000; ++i) {
    const std::uint64_t methodTable = 0x7f0000000000 + 0x48 * std::uint64_t{i};
    index.insert({methodTable}, {.baseSize = 24 + i});
    found.push_back(index.find(methodTable));
  }
  for (std::uint32_t i = 0; i < found.size(); ++i) {
    EXPECT_EQ(found[i]->methodTable, 0x7f0000000000 + 0x48 * std::uint64_t{i});
    EXPECT_EQ(found[i]->baseSize, 24 + i);
    EXPECT_EQ(found[i]->type, i);
  }
}

TEST(TypeIndex, FindsNothingWhereThereIsNothing) {
  TypeIndex index;
  EXPECT_FALSE(index.find(0));
  EXPECT_FALSE(index.find(0x7f0000000000));
  index.insert({0x7f0000000000}, {.baseSize = 24});
  EXPECT_FALSE(index.find(0));
}

// Bits of a length are doubted that are worth an object each: 24 bytes.
TEST(TypeIndex, KnowsWhichBitsOfALengthSwallowObjects) {
  TypeIndex index;
  index.insert({0x1000}, {.baseSize = 24});
  index.insert({0x2000}, {.baseSize = 24, .componentSize = 1});
  index.insert({0x3000}, {.baseSize = 24, .componentSize = 8});
  index.insert({0x4000}, {.baseSize = 24, .componentSize = 40});
  index.insert({0x5000}, {.baseSize = 24, .componentSize = 1, .isFree = true});
  EXPECT_EQ(index.find(0x1000)->swallowingBits, 0u);
  EXPECT_EQ(index.find(0x2000)->swallowingBits, ~31u);
  EXPECT_EQ(index.find(0x3000)->swallowingBits, ~3u);
  EXPECT_EQ(index.find(0x4000)->swallowingBits, ~0u);
  EXPECT_EQ(index.find(0x5000)->swallowingBits, 0u);
  EXPECT_EQ(index.find(0x5000)->freeMask, 0xffff);
}

TEST(ObjectSize, IsNeverBelowTheSmallestObject) {
  EXPECT_EQ(objectSize(8, 0, 0), 24u);
  EXPECT_EQ(objectSize(22, 2, 3), 28u);
  EXPECT_EQ(objectSize(24, 0xffff, 0xffffffff), 24 + std::uint64_t{0xffff} * 0xffffffff);
}

}  // namespace
}  // namespace heapscape::engine
