// SPDX-License-Identifier: MIT
// How far the objects of a heap made by hand are from the roots, and which of several roots says most.
#include "session/references/path_edges.h"

#include <gtest/gtest.h>

#include <array>

#include "session/snapshot/contents.h"
#include "support/builders/heap_in_memory.h"

namespace heapscape::test {
namespace {

using engine::RootKind;
using engine::Snapshot;

std::shared_ptr<const engine::PathIndex> indexOf(const Snapshot& snapshot) {
  auto index = engine::pathIndexOf(snapshot, nullptr, {});
  EXPECT_TRUE(index);
  return index.value();
}

TEST(PathIndex, CountsTheObjectsOnTheShortestWay) {
  HeapInMemory heap;
  const engine::TypeId type = heap.addType("Node");
  for (int i = 0; i < 6; ++i) heap.addObject(type);
  for (std::uint32_t i = 0; i < 3; ++i) heap.addReference(i, i + 1);
  heap.addReference(3, 0);  // a circle
  heap.addReference(4, 3);
  heap.addReference(5, 4);  // nothing holds 5
  heap.addRoot(RootKind::StrongHandle, 0, "strong handle");
  heap.addRoot(RootKind::StrongHandle, 4, "strong handle");
  const auto index = indexOf(heap.snapshot());
  const std::uint32_t expected[] = {1, 2, 3, 2, 1, 0};
  for (std::uint32_t i = 0; i < 6; ++i) EXPECT_EQ(index->distances.of(i), expected[i]) << i;
}

TEST(PathIndex, PutsTheRootThatSaysMostFirst) {
  constexpr std::array kKinds{RootKind::Static, RootKind::ThreadStatic, RootKind::StrongHandle, RootKind::Stack};
  HeapInMemory heap;
  const std::uint32_t first = heap.addObject(heap.addType("Other"));
  const std::uint32_t object = heap.addObject(heap.addType("Node"));
  std::vector<std::size_t> order{3, 2, 1, 0};
  for (std::size_t known = 1; known <= kKinds.size(); ++known) {
    heap.addRoot(kKinds[order[known - 1]], object, "root");
    const Snapshot snapshot = heap.snapshot();
    EXPECT_EQ(indexOf(snapshot)->rootOf(object), known - 1) << "the last one says more than all before";
  }
  heap.addRoot(RootKind::Static, object, "another");
  heap.addRoot(RootKind::Stack, first, "stack");
  const auto index = indexOf(heap.snapshot());
  EXPECT_EQ(index->rootOf(object), 3u) << "of equals the first";
  EXPECT_EQ(index->rootOf(first), 5u);
}

TEST(PathIndex, OfAHeapWithoutRootsReachesNothing) {
  HeapInMemory heap;
  heap.addObject(heap.addType("Node"));
  const auto index = indexOf(heap.snapshot());
  EXPECT_TRUE(index->roots.empty());
  EXPECT_EQ(index->distances.of(0), 0u);
}

TEST(PathIndex, IsMadeOnceEvenIfItWasStoppedBefore) {
  HeapInMemory heap;
  heap.addRoot(RootKind::Static, heap.addObject(heap.addType("Node")), "static A.b");
  const Snapshot snapshot = heap.snapshot();
  std::stop_source stop;
  stop.request_stop();
  const auto stopped = engine::pathIndexOf(snapshot, nullptr, stop.get_token());
  ASSERT_FALSE(stopped);
  EXPECT_TRUE(stopped.error().isCancelled());
  EXPECT_EQ(indexOf(snapshot), indexOf(snapshot));
  EXPECT_EQ(engine::reverseReferencesOf(snapshot, nullptr, {}).value(),
            engine::reverseReferencesOf(snapshot, nullptr, {}).value());
}

TEST(PathIndex, IsNotThereBeforeItIsKnownWhoHoldsWhat) {
  HeapInMemory heap;
  heap.addObject(heap.addType("Node"));
  auto early = std::make_shared<engine::Contents>(heap.snapshot().contents());
  early->stage = engine::Stage::References;
  const Snapshot snapshot(early);
  const auto index = engine::pathIndexOf(snapshot, nullptr, {});
  ASSERT_FALSE(index);
  EXPECT_EQ(index.error().error().code, engine::ErrorCode::BadQuery);
  EXPECT_FALSE(engine::reverseReferencesOf(snapshot, nullptr, {}));
}

}  // namespace
}  // namespace heapscape::test
