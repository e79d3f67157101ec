// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <numeric>

#include "session/heap/heap_map.h"
#include "support/opened_snapshot.h"
#include "support/truth.h"

namespace heapscape::engine {
namespace {

using namespace heapscape::test;

std::uint64_t usedBytes(const MapCell& cell) {
  return std::accumulate(cell.usedBytes.begin(), cell.usedBytes.end(), std::uint64_t{0});
}

class HeapMap : public testing::TestWithParam<std::string> {
 protected:
  std::vector<MapCell> map(std::uint32_t segment, AddressRange window, std::size_t cells) const {
    auto made = mapCells(m_snapshot, {segment}, window, cells, {}, {});
    if (!made) throw std::runtime_error("no map");
    return std::move(*made);
  }
  const Snapshot& m_snapshot = openedDump(GetParam());
};

TEST_P(HeapMap, ShowsEveryByteAndObjectOfAWholeSegmentOnce) {
  for (std::uint32_t i = 0; i < m_snapshot.segments().size(); ++i) {
    const Segment& segment = m_snapshot.segments()[i];
    const ObjectTotals& totals = m_snapshot.segmentContents()[i].totals;
    if (segment.objects.isEmpty()) continue;
    for (const std::size_t cells : {1u, 3u, 100u, 1777u}) {
      std::uint64_t used = 0, free = 0, objects = 0;
      std::array<std::uint64_t, kGenerationCount> byGeneration{};
      for (const MapCell& cell : map(i, segment.objects, cells)) {
        used += usedBytes(cell);
        free += cell.freeBytes;
        objects += cell.objects;
        for (std::size_t g = 0; g < kGenerationCount; ++g) byGeneration[g] += cell.usedBytes[g];
        EXPECT_LE(usedBytes(cell) + cell.freeBytes, segment.objects.sizeBytes() / cells + 1);
      }
      EXPECT_EQ(used, totals.bytes - totals.freeBytes) << toString(segment.objects.start) << " " << cells;
      EXPECT_EQ(free, totals.freeBytes);
      EXPECT_EQ(objects, totals.objects);
      for (const GenerationRange& part : segment.generations) {
        EXPECT_LE(byGeneration[static_cast<std::size_t>(part.generation)], part.range.sizeBytes());
      }
    }
  }
}

TEST_P(HeapMap, OfAWindowIsThatPartOfTheWhole) {
  for (std::uint32_t i = 0; i < m_snapshot.segments().size(); ++i) {
    const AddressRange objects = m_snapshot.segments()[i].objects;
    if (objects.sizeBytes() < 4096) continue;
    // Cells of 8 bytes, so that each is wholly inside or outside.
    const std::size_t cells = static_cast<std::size_t>(std::min<std::uint64_t>(objects.sizeBytes(), 1 << 17) / 8);
    const AddressRange start{objects.start, objects.start + cells * 8};
    const auto whole = map(i, start, cells);
    const std::size_t from = cells / 3;
    const auto part = map(i, {start.start + from * 8, start.start + (from + 100) * 8}, 100);
    for (std::size_t cell = 0; cell < 100; ++cell) {
      EXPECT_EQ(part[cell].usedBytes, whole[from + cell].usedBytes);
      EXPECT_EQ(part[cell].freeBytes, whole[from + cell].freeBytes);
      EXPECT_EQ(part[cell].objects, whole[from + cell].objects);
    }
  }
}

TEST_P(HeapMap, IsEmptyBehindTheObjectsAndInOtherPlaces) {
  const Segment& segment = m_snapshot.segments().front();
  for (const AddressRange window : {AddressRange{segment.objects.end, segment.objects.end + 4096},
                                    AddressRange{{8}, {4096}}, AddressRange{{~0ull - 4096}, {~0ull}}}) {
    for (const MapCell& cell : map(0, window, 10)) {
      EXPECT_EQ(usedBytes(cell) + cell.freeBytes + cell.objects, 0u);
    }
  }
  EXPECT_TRUE(map(0, segment.objects, 0).empty());
  EXPECT_EQ(map(0, {segment.objects.end, segment.objects.start}, 5).size(), 5u);
  EXPECT_EQ(map(100'000, segment.objects, 5).size(), 5u);
}

TEST_P(HeapMap, HasMoreCellsThanBytesIfAskedTo) {
  const Segment& segment = m_snapshot.segments().front();
  std::uint64_t bytes = 0;
  for (const MapCell& cell : map(0, {segment.objects.start, segment.objects.start + 24}, 1000))
    bytes += usedBytes(cell) + cell.freeBytes;
  EXPECT_EQ(bytes, 24u);
}

INSTANTIATE_TEST_SUITE_P(Data, HeapMap, testing::Values("shop-10", "shop-8-segments", "storm-9-calm"),
                         [](const auto& info) { return testName(info.param); });

}  // namespace
}  // namespace heapscape::engine
