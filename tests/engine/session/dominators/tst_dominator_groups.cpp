// SPDX-License-Identifier: MIT
// Siblings of a dominator tree made by hand, put together by type and by namespace.
#include "session/dominators/dominator_groups.h"

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>

#include "session/dominators/dominators_query.h"
#include "support/builders/heap_in_memory.h"

namespace heapscape::test {
namespace {

using engine::DominatorGrouping;
using engine::DominatorKind;
using engine::DominatorNode;
using engine::RootKind;

/// Objects of types by name, each held by a root of its own in one group.
struct RootedHeap {
  HeapInMemory heap;
  std::uint32_t handles = heap.addGroup("Handles");

  std::uint32_t add(const std::string& type, std::uint32_t bytes = 24) {
    const auto known = std::ranges::find(m_types, type, &std::pair<std::string, engine::TypeId>::first);
    if (known != m_types.end()) return heap.addObject(known->second);
    m_types.emplace_back(type, heap.addType(type, bytes));
    return heap.addObject(m_types.back().second);
  }
  std::uint32_t addRooted(const std::string& type, std::uint32_t bytes = 24) {
    const std::uint32_t object = add(type, bytes);
    heap.addRoot(RootKind::StrongHandle, object, "strong handle", handles);
    return object;
  }

 private:
  std::vector<std::pair<std::string, engine::TypeId>> m_types;
};

void outlineNode(const engine::Snapshot& snapshot, DominatorGrouping grouping, const DominatorNode& node,
                 std::string indent, std::string& text) {
  text += fmt::format("{}{} {}: {}\n", indent, toString(node.kind), node.name, node.retainedBytes);
  const auto page = engine::dominatedBy(snapshot, grouping, node.node, 0, SIZE_MAX, {});
  ASSERT_TRUE(page);
  for (const DominatorNode& child : page->nodes) outlineNode(snapshot, grouping, child, indent + " ", text);
}

/// The whole tree below the roots of handles, a line for each node, deeper ones farther in.
std::string outlineOf(const RootedHeap& rooted, DominatorGrouping grouping) {
  const engine::Snapshot snapshot = rooted.heap.snapshot();
  std::string text;
  std::uint32_t node = 0;
  for (int step = 0; step < 2; ++step) {  // the group, then its roots as one
    const auto page = engine::dominatedBy(snapshot, grouping, node, 0, SIZE_MAX, {});
    EXPECT_TRUE(page && !page->nodes.empty());
    node = page->nodes.at(0).node;
  }
  const auto page = engine::dominatedBy(snapshot, grouping, node, 0, SIZE_MAX, {});
  for (const DominatorNode& child : page->nodes) outlineNode(snapshot, grouping, child, "", text);
  return text;
}

TEST(DominatorsByNamespace, StandInTheirNamespacesTheLargestFirst) {
  RootedHeap rooted;
  for (const char* type : {"Shop.Orders.Order", "Shop.Customer", "Shop.Orders.Line", "Shop.Orders.Line"})
    rooted.addRooted(type);
  rooted.addRooted("Plain", 64);
  EXPECT_EQ(outlineOf(rooted, DominatorGrouping::Namespace),
            "namespace Shop: 96\n"
            " namespace Shop.Orders: 72\n"
            "  type Shop.Orders.Line: 48\n"
            "  type Shop.Orders.Order: 24\n"
            " type Shop.Customer: 24\n"
            "type Plain: 64\n");
}

TEST(DominatorsByNamespace, WithNothingButAnotherOneAreNoStep) {
  RootedHeap rooted;
  rooted.addRooted("Deep.One.Two.Left.A");
  rooted.addRooted("Deep.One.Two.Right.B");
  rooted.addRooted("Alone.In.There.C");
  EXPECT_EQ(outlineOf(rooted, DominatorGrouping::Namespace),
            "namespace Deep.One.Two: 48\n"
            " namespace Deep.One.Two.Left: 24\n"
            "  type Deep.One.Two.Left.A: 24\n"
            " namespace Deep.One.Two.Right: 24\n"
            "  type Deep.One.Two.Right.B: 24\n"
            "namespace Alone.In.There: 24\n"
            " type Alone.In.There.C: 24\n");
}

TEST(DominatorsByNamespace, BeginAlikeWithoutBeingInEachOther) {
  RootedHeap rooted;
  for (const char* type : {"Shop.A", "ShopOld.B", "Shop.Sub.C", "Shop-X.D", "Sho.E"}) rooted.addRooted(type);
  EXPECT_EQ(outlineOf(rooted, DominatorGrouping::Namespace),
            "namespace Shop: 48\n"
            " type Shop.A: 24\n"
            " namespace Shop.Sub: 24\n"
            "  type Shop.Sub.C: 24\n"
            "namespace Sho: 24\n"
            " type Sho.E: 24\n"
            "namespace Shop-X: 24\n"
            " type Shop-X.D: 24\n"
            "namespace ShopOld: 24\n"
            " type ShopOld.B: 24\n");
}

TEST(DominatorsByNamespace, AreThoseOfTheGenericTypeNotOfItsArguments) {
  RootedHeap rooted;
  rooted.addRooted("Box<Shop.Orders.Order>");
  rooted.addRooted("Shop.Box<Other.Thing>");
  EXPECT_EQ(outlineOf(rooted, DominatorGrouping::Namespace),
            "type Box<Shop.Orders.Order>: 24\nnamespace Shop: 24\n type Shop.Box<Other.Thing>: 24\n");
}

TEST(DominatorsByNamespace, WithNamesOfDotsLoseNoByte) {
  RootedHeap rooted;
  for (const char* type : {"..A", ".B", "...C", "Shop..D", "Shop...E", "Shop.", ".", ""}) rooted.addRooted(type);
  const engine::Snapshot snapshot = rooted.heap.snapshot();
  std::uint64_t ofTypes = 0;
  std::vector<std::uint32_t> open{0};
  while (!open.empty()) {
    const auto page = engine::dominatedBy(snapshot, DominatorGrouping::Namespace, open.back(), 0, SIZE_MAX, {});
    ASSERT_TRUE(page);
    open.pop_back();
    for (const DominatorNode& node : page->nodes) {
      if (node.kind == DominatorKind::Type) ofTypes += node.retainedBytes;
      open.push_back(node.node);
    }
  }
  EXPECT_EQ(ofTypes, 8u * 24);
}

TEST(DominatorsByType, PutTogetherWhatSiblingsOfOneTypeHold) {
  RootedHeap rooted;
  const std::uint32_t first = rooted.addRooted("Order"), second = rooted.addRooted("Order");
  for (const std::uint32_t order : {first, first, second}) {
    const std::uint32_t line = rooted.add("Line", 32);
    rooted.heap.addReference(order, line);
  }
  const std::uint32_t shared = rooted.add("Customer", 40);  // that both hold: below neither
  rooted.heap.addReference(first, shared);
  rooted.heap.addReference(second, shared);
  EXPECT_EQ(outlineOf(rooted, DominatorGrouping::Type), "type Order: 144\n type Line: 96\n");

  const engine::Snapshot snapshot = rooted.heap.snapshot();
  const auto top = engine::dominatedBy(snapshot, DominatorGrouping::Type, 0, 0, SIZE_MAX, {});
  ASSERT_TRUE(top && top->nodes.size() == 1);
  const auto groups = engine::dominatedBy(snapshot, DominatorGrouping::Type, top->nodes[0].node, 0, SIZE_MAX, {});
  ASSERT_TRUE(groups);
  ASSERT_EQ(groups->nodes.size(), 2u) << "the roots, and what only all of them hold together";
  EXPECT_EQ(groups->nodes[0].roots, 2u);
  EXPECT_EQ(groups->nodes[0].object, engine::Address{}) << "there are two";
  EXPECT_EQ(groups->nodes[1].name, "Customer");
  EXPECT_EQ(groups->nodes[1].object, rooted.heap.addressOf(shared));
}

TEST(DominatorsByType, TellTheNodeOfOneObjectAloneFromThatOfItsType) {
  RootedHeap rooted;
  const std::uint32_t first = rooted.addRooted("Order");
  rooted.addRooted("Order");
  const std::uint32_t lost = rooted.add("Order");
  const engine::Snapshot snapshot = rooted.heap.snapshot();
  const auto node =
      engine::dominatorNodeOf(snapshot, DominatorGrouping::Type, rooted.heap.addressOf(first), {}).value();
  ASSERT_TRUE(node);
  EXPECT_EQ(node->kind, DominatorKind::Object);
  EXPECT_EQ(node->objects, 1u);
  EXPECT_EQ(node->object, rooted.heap.addressOf(first));
  EXPECT_EQ(engine::dominatorNodeOf(snapshot, DominatorGrouping::Type, rooted.heap.addressOf(first), {}).value()->node,
            node->node);
  const auto way = engine::dominatorsOf(snapshot, DominatorGrouping::Type, rooted.heap.addressOf(first), {});
  ASSERT_TRUE(way);
  EXPECT_EQ(way->back().objects, 2u) << "those of its type stand for it";
  EXPECT_FALSE(
      engine::dominatorNodeOf(snapshot, DominatorGrouping::Type, rooted.heap.addressOf(lost), {}).value().has_value());
}

TEST(NumberStore, KeepsEveryListWhereItIs) {
  engine::NumberStore store;
  std::vector<std::span<std::uint32_t>> lists;
  std::uint32_t number = 0;
  for (const std::size_t count : {1, 0, 65'535, 1, 200'000, 65'536, 65'536, 3})
    for (std::uint32_t& place : lists.emplace_back(store.take(count))) place = number++;
  number = 0;
  for (const auto& list : lists)
    for (const std::uint32_t kept : list) ASSERT_EQ(kept, number++);
}

}  // namespace
}  // namespace heapscape::test
