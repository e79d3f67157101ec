// SPDX-License-Identifier: MIT
// Free space between objects of a heap made by hand.
#include "session/heap/gc_query.h"

#include <gtest/gtest.h>

#include "support/builders/heap_in_memory.h"

namespace heapscape::test {
namespace {

using engine::Address;
using engine::GapNeighbour;
using engine::Generation;
using engine::GenerationGaps;

constexpr std::uint32_t kGapBase = 24;

/// Objects of 24 bytes between gaps of any size.
struct GappyHeap {
  HeapInMemory heap;
  engine::TypeId free = heap.addFreeType();
  engine::TypeId order = heap.addType("Shop.Order");
  engine::TypeId line = heap.addType("Shop.Line");

  std::uint32_t addGap(std::uint32_t bytes) { return heap.addObject(free, bytes - kGapBase); }
};

std::vector<GenerationGaps> gapsIn(const GappyHeap& gappy, const std::unordered_set<Address>& pinned = {}) {
  auto gaps = engine::findGaps(gappy.heap.snapshot(), pinned, {});
  EXPECT_TRUE(gaps);
  return gaps ? std::move(*gaps) : std::vector<GenerationGaps>{};
}

TEST(Gaps, OfAHeapWithoutAnyAreNone) {
  GappyHeap gappy;
  gappy.heap.addObject(gappy.order);
  gappy.heap.addObject(gappy.order);
  const auto gaps = gapsIn(gappy);
  ASSERT_EQ(gaps.size(), 1u);
  EXPECT_EQ(gaps[0].bytes, 48u);
  EXPECT_EQ(gaps[0].freeBytes, 0u);
  EXPECT_EQ(gaps[0].gaps, 0u);
  EXPECT_TRUE(gaps[0].neighbours.empty());
}

TEST(Gaps, ThatLieSideBySideAreOne) {
  GappyHeap gappy;
  gappy.addGap(40);
  gappy.addGap(24);
  gappy.addGap(64);
  const std::uint32_t behind = gappy.heap.addObject(gappy.order);
  const auto gaps = gapsIn(gappy);
  ASSERT_EQ(gaps.size(), 1u);
  EXPECT_EQ(gaps[0].gaps, 1u);
  EXPECT_EQ(gaps[0].freeBytes, 128u);
  EXPECT_EQ(gaps[0].largestGapBytes, 128u);
  ASSERT_EQ(gaps[0].neighbours.size(), 1u);
  EXPECT_EQ(gaps[0].neighbours[0].gapBytes, 128u);
  EXPECT_EQ(gaps[0].neighbours[0].example, gappy.heap.addressOf(behind));
}

TEST(Gaps, AreCountedByTheTypeBehindThemTheMostBytesFirst) {
  GappyHeap gappy;
  gappy.heap.addObject(gappy.line);
  gappy.addGap(32);
  gappy.heap.addObject(gappy.line);
  gappy.addGap(100);  // 104 on the heap
  const std::uint32_t largest = gappy.heap.addObject(gappy.order);
  gappy.heap.addObject(gappy.order);  // has an object before it
  gappy.addGap(48);
  const std::uint32_t pinned = gappy.heap.addObject(gappy.order);
  const auto gaps = gapsIn(gappy, {gappy.heap.addressOf(pinned), gappy.heap.addressOf(0)});
  ASSERT_EQ(gaps.size(), 1u);
  EXPECT_EQ(gaps[0].bytes, 5u * 24 + 32 + 104 + 48);
  EXPECT_EQ(gaps[0].freeBytes, 32u + 104 + 48);
  EXPECT_EQ(gaps[0].gaps, 3u);
  ASSERT_EQ(gaps[0].neighbours.size(), 2u);
  const GapNeighbour& order = gaps[0].neighbours[0];
  EXPECT_EQ(order.typeName, "Shop.Order");
  EXPECT_EQ(order.gaps, 2u);
  EXPECT_EQ(order.gapBytes, 104u + 48);
  EXPECT_EQ(order.objectBytes, 48u);
  EXPECT_EQ(order.pinned, 1u);
  EXPECT_EQ(order.example, gappy.heap.addressOf(largest)) << "behind the largest";
  EXPECT_EQ(gaps[0].neighbours[1].typeName, "Shop.Line");
  EXPECT_EQ(gaps[0].neighbours[1].gaps, 1u);
  EXPECT_EQ(gaps[0].neighbours[1].pinned, 0u) << "what is pinned has no gap before it";
}

TEST(Gaps, OfEquallyManyBytesAreByName) {
  GappyHeap gappy;
  for (const engine::TypeId type : {gappy.order, gappy.line}) {
    gappy.addGap(40);
    gappy.heap.addObject(type);
  }
  const auto gaps = gapsIn(gappy);
  ASSERT_EQ(gaps[0].neighbours.size(), 2u);
  EXPECT_EQ(gaps[0].neighbours[0].typeName, "Shop.Line");
}

TEST(Gaps, AtTheEndOfASegmentHaveNobodyBehindThem) {
  GappyHeap gappy;
  gappy.heap.addObject(gappy.order);
  gappy.addGap(200);
  gappy.heap.startSegment(Generation::Gen2);
  gappy.heap.addObject(gappy.line);  // in another segment: not behind it
  gappy.addGap(24);
  const auto gaps = gapsIn(gappy);
  ASSERT_EQ(gaps.size(), 1u) << "two segments of one generation";
  EXPECT_EQ(gaps[0].gaps, 2u);
  EXPECT_EQ(gaps[0].largestGapBytes, 200u);
  EXPECT_TRUE(gaps[0].neighbours.empty());
}

TEST(Gaps, AreThoseOfEachGenerationOfEachHeap) {
  GappyHeap gappy;
  const std::array<std::pair<Generation, std::uint32_t>, 4> parts{
      {{Generation::Large, 1}, {Generation::Gen0, 0}, {Generation::Large, 0}, {Generation::Gen0, 1}}};
  std::uint32_t bytes = 24;
  for (const auto& [generation, heap] : parts) {
    gappy.heap.startSegment(generation, heap);
    gappy.addGap(bytes += 8);
    gappy.heap.addObject(gappy.order);
  }
  const auto gaps = gapsIn(gappy);
  std::vector<std::tuple<std::uint32_t, Generation, std::uint64_t>> found;
  for (const GenerationGaps& part : gaps) found.emplace_back(part.heap, part.generation, part.freeBytes);
  EXPECT_EQ(found, (std::vector<std::tuple<std::uint32_t, Generation, std::uint64_t>>{
                       {0, Generation::Gen0, 40},
                       {0, Generation::Gen2, 0},  // the segment to begin with has no objects
                       {0, Generation::Large, 48},
                       {1, Generation::Gen0, 56},
                       {1, Generation::Large, 32}}));
}

TEST(Gaps, AreNotLookedForOnceItIsStopped) {
  GappyHeap gappy;
  for (int i = 0; i < 100'000; ++i) gappy.heap.addObject(gappy.order);
  std::stop_source stop;
  stop.request_stop();
  const auto gaps = engine::findGaps(gappy.heap.snapshot(), {}, stop.get_token());
  ASSERT_FALSE(gaps);
  EXPECT_TRUE(gaps.error().isCancelled());
}

}  // namespace
}  // namespace heapscape::test
