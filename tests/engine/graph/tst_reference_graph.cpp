// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <vector>

#include "graph/reference_graph.h"
#include "session/objects/object_query.h"
#include "session/references/reference_query.h"
#include "session/snapshot/contents.h"
#include "support/opened_snapshot.h"
#include "support/patched_core.h"

namespace heapscape::test {
namespace {

using engine::Address;
using engine::Edge;
using engine::FindingKind;
using engine::ObjectId;
using engine::ReferenceGraph;
using engine::Snapshot;
using Edges = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

engine::Outcome<ReferenceGraph> tryBuild(const Snapshot& snapshot, std::stop_token stop = {}) {
  const engine::Contents& contents = snapshot.contents();
  engine::FindingList findings;
  const engine::TypeReferences types(*contents.readers, *contents.heap);
  const engine::DependentEdges dependents = engine::readDependentEdges(contents.readers->runtime, findings);
  engine::StageProgress progress(nullptr, "", 0, 1);
  return buildReferenceGraph({*contents.memory, *contents.segments, *contents.heap, types, dependents}, {}, progress,
                             std::move(stop));
}

ReferenceGraph build(const Snapshot& snapshot) {
  auto graph = tryBuild(snapshot);
  EXPECT_TRUE(graph);
  return std::move(*graph);
}

/// In order.
Edges edgesOf(const ReferenceGraph& graph) {
  Edges edges;
  for (std::uint32_t object = 0; object < graph.objectCount(); ++object)
    for (std::uint32_t edge = graph.rows[object]; edge < graph.rows[object + 1]; ++edge)
      edges.emplace_back(object, graph.targets[edge]);
  std::sort(edges.begin(), edges.end());
  return edges;
}

Edges edgesOf(const Snapshot& snapshot) {
  const engine::ObjectIndex& index = snapshot.contents().heap->index;
  Edges edges;
  engine::forEachEdge(snapshot, [&](const Edge& edge) {
    edges.emplace_back(index.idOf(edge.from).value, index.idOf(edge.to).value);
    return true;
  });
  std::sort(edges.begin(), edges.end());
  return edges;
}

class ReferenceGraphOf : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Dumps, ReferenceGraphOf,
                         testing::Values("shop-8", "shop-9", "shop-10", "shop-11", "shop-arm64-10", "shop-10-server",
                                         "shop-10-segments", "exhibits-8", "exhibits-10", "exhibits-11",
                                         "storm-9-calm"),
                         [](const auto& info) {
                           std::string name = info.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST_P(ReferenceGraphOf, HasTheEdgesOfAllObjectsOneByOne) {
  const Snapshot& snapshot = openedDump(GetParam());
  const ReferenceGraph graph = build(snapshot);
  const Edges edges = edgesOf(snapshot);
  EXPECT_EQ(graph.edgeCount(), edges.size());
  EXPECT_EQ(graph.damagedReferences, 0u);
  EXPECT_TRUE(graph.findings.items().empty());
  EXPECT_TRUE(edgesOf(graph) == edges);
}

TEST_P(ReferenceGraphOf, HasTheSizesOfAllObjectsButFreeOnes) {
  const Snapshot& snapshot = openedDump(GetParam());
  const ReferenceGraph graph = build(snapshot);
  const engine::ObjectIndex& index = snapshot.contents().heap->index;
  ASSERT_EQ(graph.objectCount(), index.objectCount());
  engine::forEachObject(snapshot, {}, [&](const engine::ObjectRow& row) {
    const bool isFree = snapshot.types()[row.type.value].isFree;
    EXPECT_EQ(graph.bytesOf(index.idOf(row.address).value), isFree ? 0 : row.alignedBytes);
    return !testing::Test::HasFailure();
  });
}

class DamagedReferenceGraph : public testing::Test {
 protected:
  static constexpr const char* kDump = "shop-9";

  DamagedReferenceGraph() {
    engine::forEachEdge(openedDump(kDump), [this](const Edge& edge) {
      m_edge = edge;
      return edge.kind != engine::EdgeKind::Field;
    });
  }

  /// One reference leads elsewhere; everything else is as before.
  void expectFindingFor(Address target) {
    m_patched.write(m_edge.from + m_edge.offset, target.value);
    const Snapshot snapshot = openSnapshot(m_patched.path(), engine::Stage::Objects);
    const ReferenceGraph graph = build(snapshot);
    EXPECT_EQ(graph.damagedReferences, 1u);
    ASSERT_EQ(graph.findings.items().size(), 1u);
    EXPECT_EQ(graph.findings.items().front().kind, FindingKind::ReferenceDamaged);
    EXPECT_EQ(graph.findings.items().front().address, m_edge.from);
    EXPECT_NE(graph.findings.items().front().message.find(toString(target)), std::string::npos);

    const engine::ObjectIndex& index = snapshot.contents().heap->index;
    const std::uint32_t from = index.idOf(m_edge.from).value;
    Edges expected = edgesOf(openedDump(kDump));
    *std::find(expected.begin(), expected.end(), std::pair(from, index.idOf(m_edge.to).value)) = {from, from};
    std::sort(expected.begin(), expected.end());
    EXPECT_TRUE(edgesOf(graph) == expected) << "the edge holds nothing but the object itself";
    expected.erase(std::find(expected.begin(), expected.end(), std::pair(from, from)));
    EXPECT_TRUE(edgesOf(snapshot) == expected);
  }

  PatchedCore m_patched{kDump};
  Edge m_edge;
};

TEST_F(DamagedReferenceGraph, TellsOfAReferenceIntoAnObject) {
  expectFindingFor(m_edge.to + 8);
}

TEST_F(DamagedReferenceGraph, TellsOfAReferenceBetweenPlacesOfObjects) {
  expectFindingFor(m_edge.to + 1);
}

TEST_F(DamagedReferenceGraph, TellsOfAReferenceOutOfTheHeap) {
  expectFindingFor(Address{0x1234'5678});
  expectFindingFor(Address{~0ull - 7});
}

TEST_F(DamagedReferenceGraph, TellsOfAReferenceIntoFreeSpace) {
  const Snapshot& before = openedDump(kDump);
  Address free;
  engine::forEachObject(before, {}, [&](const engine::ObjectRow& row) {
    if (before.types()[row.type.value].isFree) free = row.address;
    return !free;
  });
  ASSERT_TRUE(free);
  expectFindingFor(free);
}

TEST_F(DamagedReferenceGraph, TellsOfAReferenceToADamagedObject) {
  // Its method table leads nowhere, so the walk leaves it out.
  m_patched.write(m_edge.to, std::uint64_t{0x10});
  const Snapshot snapshot = openSnapshot(m_patched.path(), engine::Stage::Objects);
  ASSERT_TRUE(snapshot.contents().heap->index.idOf(m_edge.to).isNone());
  const ReferenceGraph graph = build(snapshot);
  EXPECT_GE(graph.damagedReferences, 1u);
  const auto& items = graph.findings.items();
  EXPECT_TRUE(std::any_of(items.begin(), items.end(), [&](const engine::Finding& finding) {
    return finding.address == m_edge.from && finding.kind == FindingKind::ReferenceDamaged;
  }));
}

TEST_F(DamagedReferenceGraph, NamesTheSameFindingsWhoeverReadsThem) {
  // More than are listed, in many chunks.
  std::uint64_t count = 0;
  engine::forEachEdge(openedDump(kDump), [&](const Edge& edge) {
    if (edge.kind == engine::EdgeKind::Field && edge.offset % 16 == 8) {
      m_patched.write(edge.from + edge.offset, std::uint64_t{0x4000'0001});
      ++count;
    }
    return true;
  });
  const Snapshot snapshot = openSnapshot(m_patched.path(), engine::Stage::Objects);
  const ReferenceGraph first = build(snapshot);
  const ReferenceGraph second = build(snapshot);
  EXPECT_EQ(first.damagedReferences, count);
  EXPECT_EQ(second.damagedReferences, count);
  const auto addresses = [](const ReferenceGraph& graph) {
    std::vector<Address> addresses;
    for (const engine::Finding& finding : graph.findings.items()) addresses.push_back(finding.address);
    return addresses;
  };
  EXPECT_EQ(addresses(first), addresses(second));
  EXPECT_TRUE(std::ranges::is_sorted(addresses(first)));
}

TEST_F(DamagedReferenceGraph, LeavesOutWhatTheDumpDoesNotHold) {
  const Edges before = edgesOf(openedDump(kDump));
  const Address page{m_edge.from.value / 4096 * 4096};
  m_patched.makeHole({page, page + 4096});
  const Snapshot snapshot = openSnapshot(m_patched.path(), engine::Stage::Objects);
  const ReferenceGraph graph = build(snapshot);
  EXPECT_LT(graph.edgeCount(), before.size());
  EXPECT_TRUE(edgesOf(graph).size() >= edgesOf(snapshot).size());
}

TEST(ReferenceGraph, StopsWhenAsked) {
  std::stop_source stop;
  stop.request_stop();
  const auto graph = tryBuild(openedDump("shop-10"), stop.get_token());
  ASSERT_FALSE(graph);
  EXPECT_TRUE(graph.error().isCancelled());
}

}  // namespace
}  // namespace heapscape::test
