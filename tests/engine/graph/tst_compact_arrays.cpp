// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <optional>
#include <random>
#include <vector>

#include "engine/graph/written_graph.h"
#include "graph/retained/retained_sizes.h"
#include "support/builders/reference_graph.h"

namespace heapscape::test {
namespace {

using engine::ObjectUnits;
using engine::RowLine;
using engine::StoredRows;
using Counts = engine::MostlySmall<std::uint8_t>;

/// A number below `end`.
std::uint32_t below(std::uint32_t end, std::mt19937& random) {
  return std::uniform_int_distribution<std::uint32_t>(0, end - 1)(random);
}

/// Rows of random lengths, of which one in so many is long.
std::vector<std::uint32_t> randomStarts(std::mt19937& random, std::uint32_t vertices, std::uint32_t longOneIn) {
  std::vector<std::uint32_t> starts{0};
  for (std::uint32_t i = 0; i < vertices; ++i) {
    // Around the bound of what is long as well.
    const std::uint32_t edges = below(longOneIn, random) ? below(4, random) : RowLine::kMany - 2 + below(4000, random);
    starts.push_back(starts.back() + edges);
  }
  return starts;
}

TEST(StoredRows, HaveAllStartsWhateverTheirLengths) {
  std::mt19937 random(3);
  for (const std::uint32_t longOneIn : {2u, 30u, 1000u}) {
    for (std::uint32_t vertices = 0; vertices < 3 * RowLine::kVertices; ++vertices) {
      const std::vector<std::uint32_t> starts = randomStarts(random, vertices, longOneIn);
      const StoredRows rows = rowsOf(starts);
      ASSERT_EQ(rows.vertexCount(), vertices);
      for (std::uint32_t vertex = 0; vertex <= vertices; ++vertex)
        ASSERT_EQ(rows[vertex], starts[vertex]) << vertex << " of " << vertices;
      for (std::uint32_t vertex = 0; vertex < vertices; ++vertex)
        ASSERT_EQ(rows.countOf(vertex), starts[vertex + 1] - starts[vertex]) << vertex << " of " << vertices;
    }
  }
}

TEST(StoredRows, TellWhichOf64VerticesHaveNoEdges) {
  std::mt19937 random(5);
  for (const std::uint32_t longOneIn : {2u, 30u, 1000u}) {
    for (std::uint32_t vertices = 1; vertices < 9 * RowLine::kVertices; ++vertices) {
      const std::vector<std::uint32_t> starts = randomStarts(random, vertices, longOneIn);
      const StoredRows rows = rowsOf(starts);
      for (std::uint32_t first = 0; first < vertices; first += 64) {
        std::uint64_t expected = 0;
        for (std::uint32_t vertex = first; vertex < std::min(first + 64, vertices); ++vertex)
          if (starts[vertex + 1] == starts[vertex]) expected |= 1ull << (vertex - first);
        ASSERT_EQ(rows.starts().withoutEdges(first), expected) << first << " of " << vertices;
      }
    }
  }
}

/// As several threads write them: each part for itself, its edges counted from its own first one.
TEST(StoredRows, AreWrittenInPartsThatBeginAnywhere) {
  std::mt19937 random(4);
  const std::vector<std::uint32_t> starts = randomStarts(random, 1000, 20);
  StoredRows rows(1000);
  std::vector<engine::LongRow> longRows;
  for (std::uint32_t first = 0; first < 1000;) {
    const std::uint32_t end = std::min<std::uint32_t>(1000, first + 1 + below(70, random));
    StoredRows::Writer writer(rows, first);
    for (std::uint32_t vertex = first; vertex < end; ++vertex) {
      const std::uint32_t edges = starts[vertex + 1] - starts[vertex];
      writer.add(edges, starts[vertex] - starts[first]);
      if (edges >= RowLine::kMany) longRows.push_back({vertex, edges});
    }
    rows.moveBack(first, end, starts[first]);
    first = end;
  }
  rows.finish(longRows, starts.back());
  for (std::uint32_t vertex = 0; vertex <= 1000; ++vertex) ASSERT_EQ(rows[vertex], starts[vertex]) << vertex;
}

TEST(ObjectUnits, KnowHowLargeLargeObjectsAre) {
  const std::vector<std::uint32_t> all{3, 0, 0xfffe, 0xffff, 0x10000, 5, 0xffff'ffff};
  ObjectUnits units(static_cast<std::uint32_t>(all.size()));
  std::vector<ObjectUnits::LargeObject> large;
  for (std::uint32_t object = 0; object < all.size(); ++object)
    if (!units.set(object, all[object])) large.push_back({object, all[object]});
  units.setLarge(large);
  EXPECT_EQ(large.size(), 3u);
  for (std::uint32_t object = 0; object < all.size(); ++object) EXPECT_EQ(units[object], all[object]);
}

/// Around the bound of what is large, too.
std::vector<std::uint32_t> mostlySmall(std::mt19937& random, std::size_t size, std::uint32_t largeOneIn) {
  std::vector<std::uint32_t> all;
  while (all.size() < size)
    all.push_back(below(largeOneIn, random) ? below(255, random) : 254 + below(4, random) * 0x1000'0000);
  return all;
}

TEST(MostlySmall, KeepsAllNumbersHoweverManyAreLarge) {
  std::mt19937 random(6);
  for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{4096}, std::size_t{20'000}}) {
    for (const std::uint32_t largeOneIn : {1u, 30u, 100u, 100'000'000u}) {
      const std::vector<std::uint32_t> all = mostlySmall(random, size, largeOneIn);
      Counts kept(size);
      for (std::size_t i = 0; i < size; ++i) {
        kept.add(i, all[i] / 2);
        kept.add(i, all[i] - all[i] / 2);
      }
      const std::vector<Counts::Large> large = kept.large();
      const std::optional<Counts> view = Counts::viewOf(kept.small(), large);
      ASSERT_TRUE(view);
      for (std::size_t i = 0; i < size; ++i) {
        ASSERT_EQ(kept[i], all[i]) << i << " of " << size;
        ASSERT_EQ((*view)[i], all[i]) << i << " of " << size;
      }
    }
  }
}

TEST(MostlySmall, IsOnlySeenWithTheLargeNumbersThatItHas) {
  const std::vector<std::uint8_t> small{1, 255, 3, 255};
  const auto isSeenWith = [&](const std::vector<Counts::Large>& large) { return !!Counts::viewOf(small, large); };
  EXPECT_TRUE(isSeenWith({{1, 255}, {3, 1000}}));
  EXPECT_FALSE(isSeenWith({{1, 254}, {3, 1000}})) << "not large";
  EXPECT_FALSE(isSeenWith({{3, 1000}, {1, 255}})) << "not in order";
  EXPECT_FALSE(isSeenWith({{1, 255}, {2, 1000}})) << "of another one";
  EXPECT_FALSE(isSeenWith({{1, 255}}));
  EXPECT_FALSE(isSeenWith({{1, 255}, {3, 1000}, {4, 1000}})) << "of none";
}

/// As where a list is long: each element holds all behind it.
TEST(RetainedSizes, AreExactWhereMostAreLarge) {
  constexpr std::uint32_t kObjects = 3000;
  WrittenGraph graph(kObjects);
  for (std::uint32_t object = 1; object < kObjects; ++object) graph.add(object - 1, object);
  const engine::DominatorTree tree = graph.dominators({0});
  engine::ReferenceGraph heap = graphOf(graph.edges());
  for (std::uint32_t object = 0; object < kObjects; ++object) heap.units.set(object, 1000);
  const engine::RetainedSizes sizes = addUpRetained(tree, heap);
  for (std::uint32_t object = 0; object < kObjects; ++object) {
    ASSERT_EQ(sizes.objects[tree.numberOf(object)], kObjects - object);
    ASSERT_EQ(sizes.bytes[tree.numberOf(object)], 8000u * (kObjects - object));
  }
}

/// Below 32 GB, exactly as much, and more.
TEST(RetainedBytes, AreExactHoweverMany) {
  for (const std::uint32_t last : {0xffff'ffffu - 30'000, 0xffff'ffffu - 29'999, 0xffff'fff0u}) {
    WrittenGraph graph(4);  // 0 holds 1 and 2, and 2 holds 3
    graph.add(0, 1);
    graph.add(0, 2);
    graph.add(2, 3);
    const engine::DominatorTree tree = graph.dominators({0});
    engine::ReferenceGraph heap = graphOf(graph.edges());
    for (std::uint32_t object = 0; object < 3; ++object) heap.units.set(object, 10'000);
    heap.units.set(3, last);
    heap.units.setLarge(std::vector<ObjectUnits::LargeObject>{{3, last}});
    const engine::RetainedSizes sizes = addUpRetained(tree, heap);
    EXPECT_EQ(sizes.bytes[tree.numberOf(3)], 8 * std::uint64_t{last});
    EXPECT_EQ(sizes.bytes[tree.numberOf(2)], 8 * (std::uint64_t{last} + 10'000));
    EXPECT_EQ(sizes.bytes[tree.numberOf(0)], 8 * (std::uint64_t{last} + 30'000));
    EXPECT_EQ(sizes.bytes[0], sizes.bytes[tree.numberOf(0)]);
    EXPECT_EQ(sizes.objects[tree.numberOf(0)], 4u);
  }
}

TEST(LargeArray, IsSplitIntoTwoThatGoAwayByThemselves) {
  for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{1000}, std::size_t{1} << 18}) {
    auto [first, second] = engine::LargeArray<std::uint64_t>(size).split<std::uint32_t>();
    ASSERT_EQ(first.size(), size);
    ASSERT_EQ(second.size(), size);
    for (std::size_t i = 0; i < size; ++i) {
      first[i] = static_cast<std::uint32_t>(i);
      second[i] = ~static_cast<std::uint32_t>(i);
    }
    for (std::size_t i = 0; i < size; ++i) ASSERT_EQ(first[i], ~second[i]);
    first = {};
    for (std::size_t i = 0; i < size; ++i) ASSERT_EQ(second[i], ~static_cast<std::uint32_t>(i));
  }
}

}  // namespace
}  // namespace heapscape::test
