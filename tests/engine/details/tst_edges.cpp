// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <map>

#include "session/objects/object_query.h"
#include "session/references/reference_query.h"
#include "support/details.h"
#include "support/opened_snapshot.h"
#include "support/truth.h"

namespace heapscape::test {
namespace {

using engine::Edge;
using engine::EdgeKind;

class Edges : public testing::TestWithParam<std::string> {};

INSTANTIATE_TEST_SUITE_P(OfShop, Edges, testing::ValuesIn(shopDumps()),
                         [](const auto& dump) { return testName(dump.param); });

// The same sum as in tests/targets/truth: it does not depend on the order, so it tells of any edge that differs.
std::uint64_t mixed(const Edge& edge) {
  return ((edge.from.value * 0x9E3779B97F4A7C15ull) ^ edge.to.value) * 0x100000001b3ull;
}

TEST_P(Edges, AreTheReferencesThatClrMDSees) {
  const auto expected = detailsOf(GetParam())["edges"];
  std::map<EdgeKind, std::uint64_t> counts;
  std::uint64_t sum = 0;
  engine::forEachEdge(openedDump(GetParam()), [&](const Edge& edge) {
    ++counts[edge.kind];
    if (edge.kind == EdgeKind::Field || edge.kind == EdgeKind::Element) sum += mixed(edge);
    return true;
  });
  EXPECT_EQ(counts[EdgeKind::Field] + counts[EdgeKind::Element], expected["count"].get<std::uint64_t>());
  EXPECT_EQ(engine::Address{sum}, addressIn(expected, "sum"));
  EXPECT_EQ(counts[EdgeKind::Dependent], expected["dependent"].get<std::uint64_t>());
  EXPECT_GT(counts[EdgeKind::Loader], 0u) << "objects of collectible types keep their loader allocator alive";
}

TEST_P(Edges, ComeByAddressAndOffset) {
  Edge before;
  engine::forEachEdge(openedDump(GetParam()), [&](const Edge& edge) {
    EXPECT_LE(before.from, edge.from);
    if (before.from == edge.from && before.kind == edge.kind) {
      EXPECT_LE(before.offset, edge.offset);
    }
    before = edge;
    return !testing::Test::HasFailure();
  });
}

TEST_P(Edges, StopWhenAsked) {
  int seen = 0;
  EXPECT_FALSE(engine::forEachEdge(openedDump(GetParam()), [&](const Edge&) { return ++seen < 5; }));
  EXPECT_EQ(seen, 5);
}

TEST_P(Edges, OfOneObjectAreNamed) {
  const engine::Snapshot& snapshot = openedDump(GetParam());
  engine::ObjectFilter filter;
  filter.type = findType(snapshot, "Catalog.Order");
  ASSERT_FALSE(filter.type->isNone());
  const auto orders = engine::listObjects(snapshot, filter, 0, 1);
  ASSERT_FALSE(orders.empty());
  const auto edges = engine::referencesOf(snapshot, orders.front().address, 100);
  ASSERT_TRUE(edges) << edges.error().message();
  ASSERT_FALSE(edges->empty());
  for (const engine::NamedEdge& edge : *edges) {
    EXPECT_FALSE(edge.name.empty());
    EXPECT_FALSE(edge.name.starts_with("+")) << edge.name;
    EXPECT_FALSE(edge.toType.empty());
  }
}

TEST_P(Edges, ReachEachObjectOnce) {
  const engine::Snapshot& snapshot = openedDump(GetParam());
  std::vector<engine::Address> all;
  std::uint64_t bytes = 0;
  engine::forEachObject(snapshot, {}, [&](const engine::ObjectRow& row) {
    if (snapshot.types()[row.type.value].isFree) return true;
    all.push_back(row.address);
    all.push_back(row.address);
    bytes += row.alignedBytes;
    return true;
  });
  const auto size = engine::transitiveSize(snapshot, all, {});
  ASSERT_TRUE(size);
  EXPECT_EQ(size->objects, all.size() / 2);
  EXPECT_EQ(size->bytes, bytes);
}

TEST_P(Edges, OfAStringReachNothingElse) {
  const engine::Snapshot& snapshot = openedDump(GetParam());
  engine::ObjectFilter filter;
  filter.type = findType(snapshot, "System.String");
  const auto strings = engine::listObjects(snapshot, filter, 10, 1);
  ASSERT_FALSE(strings.empty());
  const auto size = engine::transitiveSize(snapshot, {strings.front().address}, {});
  ASSERT_TRUE(size);
  EXPECT_EQ(size->objects, 1u);
  EXPECT_EQ(size->bytes, strings.front().alignedBytes);
}

TEST(EdgesOf, WhatIsNoObjectAreAnError) {
  const auto edges = engine::referencesOf(openedDump("shop-10"), engine::Address{0x10}, 10);
  ASSERT_FALSE(edges);
  EXPECT_EQ(edges.error().code, engine::ErrorCode::NotFound);
}

}  // namespace
}  // namespace heapscape::test
