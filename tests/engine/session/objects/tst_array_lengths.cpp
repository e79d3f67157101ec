// SPDX-License-Identifier: MIT
// Parts of a heap made by hand, and what its arrays would take up with elements of another size.
#include "session/objects/array_lengths.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "layout/type_layout.h"
#include "session/objects/scope_walk.h"
#include "support/builders/heap_in_memory.h"

namespace heapscape::test {
namespace {

using namespace engine;

ArrayLengths lengthsOf(const std::vector<std::uint32_t>& lengths) {
  ArrayLengths all;
  for (const std::uint32_t length : lengths) all.add(length);
  return all;
}

TEST(ArrayLengths, TellToTheByteWhatArraysTakeUpWithAnyElements) {
  std::mt19937 random(3);
  std::vector<std::uint32_t> lengths{0, 1, 7, 8, 9, UINT32_MAX};
  for (int i = 0; i < 60; ++i) lengths.push_back(static_cast<std::uint32_t>(random() % 1000));
  const ArrayLengths all = lengthsOf(lengths);
  for (const std::uint64_t base : {24u, 28u, 32u}) {
    for (std::uint64_t element = 1; element <= 40; ++element) {
      std::uint64_t expected = 0;
      for (const std::uint32_t length : lengths) expected += alignUp(base + element * length, 8);
      EXPECT_EQ(all.alignedBytes(base, element), expected) << base << " " << element;
    }
  }
}

TEST(ArrayLengths, AddUpWhatSeveralThreadsHaveRead) {
  const std::vector<std::uint32_t> whole{3, 4, 5, 12, 0};
  ArrayLengths sum = lengthsOf({3, 4});
  sum += lengthsOf({5, 12, 0});
  sum += ArrayLengths();
  EXPECT_EQ(sum.elements(), 24u);
  EXPECT_EQ(sum.alignedBytes(24, 3), lengthsOf(whole).alignedBytes(24, 3));
  EXPECT_EQ(ArrayLengths().alignedBytes(24, 3), 0u);
}

TEST(ArrayLengths, AreReadForTheTypesThatAreAskedForInTheirOrder) {
  HeapInMemory heap;
  const TypeId dots = heap.addType("Dot[]", 24, 12), order = heap.addType("Order"),
               lines = heap.addType("Line[]", 24, 8);
  const TypeId none = heap.addType("None[]", 24, 8);
  for (const std::uint32_t length : {3u, 0u, 100'000u}) {
    heap.addObject(dots, length);
    heap.addObject(order);
    heap.startSegment(Generation::Large);
    heap.addObject(lines, length + 1);
  }
  const Snapshot snapshot = heap.snapshot();
  const auto lengths = readArrayLengths(snapshot.contents(), {lines, none, dots}, {});
  ASSERT_TRUE(lengths);
  ASSERT_EQ(lengths->size(), 3u);
  EXPECT_EQ((*lengths)[0].elements(), 100'006u);
  EXPECT_EQ((*lengths)[1].elements(), 0u);
  EXPECT_EQ((*lengths)[2].elements(), 100'003u);
  EXPECT_EQ((*lengths)[2].alignedBytes(24, 12), snapshot.typeCounts().bytes[dots.value]) << "as it is";
  EXPECT_EQ(readArrayLengths(snapshot.contents(), {}, {})->size(), 0u);

  std::stop_source stop;
  stop.request_stop();
  const auto stopped = readArrayLengths(snapshot.contents(), {dots}, stop.get_token());
  ASSERT_FALSE(stopped);
  EXPECT_TRUE(stopped.error().isCancelled());
}

/// Sizes of what is visited, ascending.
std::vector<std::uint64_t> sizesIn(const Snapshot& snapshot, const HeapScope& scope) {
  tbb::enumerable_thread_specific<std::vector<std::uint64_t>> locals;
  const auto visit = [](std::vector<std::uint64_t>& local, const ObjectFacts& facts, Generation) {
    local.push_back(facts.sizeBytes);
  };
  EXPECT_TRUE(visitScope(snapshot.contents(), scope, locals, visit, {}));
  std::vector<std::uint64_t> sizes;
  for (const auto& local : locals) sizes.insert(sizes.end(), local.begin(), local.end());
  std::ranges::sort(sizes);
  return sizes;
}

using Sizes = std::vector<std::uint64_t>;

TEST(HeapScopes, AreWhatFitsAllThatIsAskedFor) {
  HeapInMemory heap;
  const TypeId bytes = heap.addType("System.Byte[]", 24, 1);
  std::uint32_t length = 0;
  for (const auto& [generation, number] :
       {std::pair(Generation::Gen0, 0u), std::pair(Generation::Gen0, 1u), std::pair(Generation::Large, 1u)}) {
    heap.startSegment(generation, number);
    for (int i = 0; i < 2; ++i) heap.addObject(bytes, length++);
  }
  const Snapshot snapshot = heap.snapshot();
  EXPECT_EQ(sizesIn(snapshot, {}), (Sizes{24, 25, 26, 27, 28, 29}));
  EXPECT_EQ(sizesIn(snapshot, {.heap = 1, .generation = {}}), (Sizes{26, 27, 28, 29}));
  EXPECT_EQ(sizesIn(snapshot, {.heap = {}, .generation = Generation::Gen0}), (Sizes{24, 25, 26, 27}));
  EXPECT_EQ(sizesIn(snapshot, {.heap = 1, .generation = Generation::Gen0}), (Sizes{26, 27}));
  EXPECT_EQ(sizesIn(snapshot, {.heap = 2, .generation = {}}), Sizes{});
  EXPECT_EQ(sizesIn(snapshot, {.heap = {}, .generation = {}, .minimumBytes = 26, .maximumBytes = 28}),
            (Sizes{26, 27, 28}))
      << "both ends included, exact sizes rather than aligned ones";
  EXPECT_EQ(sizesIn(snapshot, {.heap = {}, .generation = {}, .minimumBytes = 28, .maximumBytes = 26}), Sizes{});
}

TEST(TypesOnTheHeap, TakeUpWhatTheirObjectsWouldEachRoundedUp) {
  TypeLayout layout;
  layout.baseSize = 28;
  EXPECT_EQ((TypeOnHeap{.objects = 3, .arrays = {}}.bytesBy(layout)), 3u * 32);
  layout.baseSize = 16;
  EXPECT_EQ((TypeOnHeap{.objects = 3, .arrays = {}}.bytesBy(layout)), 3u * 24) << "no object is smaller";
  EXPECT_EQ((TypeOnHeap{}.bytesBy(layout)), 0u);
  layout.baseSize = 24;
  layout.componentSize = 12;
  EXPECT_EQ((TypeOnHeap{.objects = 2, .arrays = lengthsOf({1, 2})}.bytesBy(layout)), 40u + 48);
}

}  // namespace
}  // namespace heapscape::test
