// SPDX-License-Identifier: MIT
// What the map of segments is painted with: colours, highlighted objects, pins.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "session/heap/heap_map.h"
#include "session/objects/retained_query.h"
#include "session/roots/handles_query.h"
#include "session/types/type_owner.h"
#include "support/opened_snapshot.h"
#include "support/truth.h"

namespace heapscape::engine {
namespace {

using namespace heapscape::test;

class MapPainting : public testing::TestWithParam<std::string> {
 protected:
  std::shared_ptr<const MapPins> pins() const { return MapPins::of(m_snapshot, {}).value(); }
  std::shared_ptr<const MapColours> colours(MapColouring by, TypeId picked = {}) const {
    return MapColours::of(m_snapshot, by, picked, pins());
  }
  /// Calls visit for all objects that are not free.
  template <class Visit>
  void forEachUsed(Visit visit) const {
    forEachObject(m_snapshot, {}, [&](const ObjectRow& row) {
      if (!m_snapshot.types()[row.type.value].isFree) visit(row);
      return true;
    });
  }
  std::vector<MapCell> cells(std::uint32_t segment, std::size_t count, const MapPaint& paint) const {
    return mapCells(m_snapshot, {segment}, m_snapshot.segments()[segment].objects, count, paint, {}).value();
  }
  /// Bytes by colour of the whole heap, as the map has them.
  std::array<std::uint64_t, kMapColours> painted(MapColouring by, TypeId picked = {}) const {
    std::array<std::uint64_t, kMapColours> bytes{};
    const MapPaint paint{.colours = colours(by, picked)};
    for (std::uint32_t i = 0; i < m_snapshot.segments().size(); ++i) {
      for (const MapCell& cell : cells(i, 777, paint))
        for (std::size_t colour = 0; colour < kMapColours; ++colour) bytes[colour] += cell.usedBytes[colour];
    }
    return bytes;
  }
  TypeId someType() const {
    TypeId most{0};
    for (std::uint32_t i = 0; i < m_snapshot.types().size(); ++i) {
      if (!m_snapshot.types()[i].isFree && m_snapshot.typeCounts().count[i] > m_snapshot.typeCounts().count[most.value])
        most = {i};
    }
    return most;
  }

  const Snapshot& m_snapshot = retainedDump(GetParam());
};

TEST_P(MapPainting, LiveAndGarbageAreWhatTheRootsReachAndTheRest) {
  const auto bytes = painted(MapColouring::Liveness);
  const RetainedTotals totals = m_snapshot.retainedTotals();
  EXPECT_EQ(bytes[kLiveColour], totals.reachableBytes + totals.frozenBytes);
  EXPECT_EQ(bytes[kGarbageColour], totals.garbageBytes());
}

TEST_P(MapPainting, TheLargestTypesHaveAColourEach) {
  const auto map = colours(MapColouring::LargestTypes);
  const TypeCounts& counts = m_snapshot.typeCounts();
  ASSERT_EQ(map->types().size(), kLargestTypesOnMap);
  const auto bytes = painted(MapColouring::LargestTypes);
  std::uint64_t others = 0;
  for (std::uint32_t i = 0; i < counts.bytes.size(); ++i) {
    if (m_snapshot.types()[i].isFree) continue;
    const auto own = std::ranges::find(map->types(), TypeId{i});
    if (own == map->types().end()) {
      others += counts.bytes[i];
      EXPECT_LE(counts.bytes[i], counts.bytes[map->types().back().value]);
    } else {
      EXPECT_EQ(bytes[static_cast<std::size_t>(own - map->types().begin())], counts.bytes[i]);
    }
  }
  EXPECT_EQ(bytes[kLargestTypesOnMap], others);
}

TEST_P(MapPainting, APickedTypeStandsOutOfAllOthers) {
  const TypeId type = someType();
  EXPECT_EQ(painted(MapColouring::PickedType, type)[kPickedColour], m_snapshot.typeCounts().bytes[type.value]);
  EXPECT_EQ(painted(MapColouring::PickedType)[kPickedColour], 0u);
}

TEST_P(MapPainting, CodeIsToldByTheAssembly) {
  std::map<CodeOwner, std::uint64_t> bytes;
  forEachUsed([&](const ObjectRow& row) {
    bytes[ownerOf(m_snapshot, m_snapshot.types()[row.type.value])] += row.alignedBytes;
  });
  EXPECT_GT(bytes[CodeOwner::Own], 0u);
  const auto shown = painted(MapColouring::Code);
  EXPECT_EQ(shown[kOwnCodeColour], bytes[CodeOwner::Own]);
  EXPECT_EQ(shown[kPackageColour], bytes[CodeOwner::Package]);
  EXPECT_EQ(shown[kFrameworkColour], bytes[CodeOwner::Framework]);
}

TEST_P(MapPainting, RetainedSizesHaveSteps) {
  const auto map = colours(MapColouring::Retained);
  forEachUsed([&](const ObjectRow& row) {
    const std::uint64_t retained = retainedBytesOf(m_snapshot, row.id);
    const std::uint8_t colour = map->colourOf(row);
    if (retained == 0) {
      // Frozen objects are never collected, whoever refers to them.
      EXPECT_EQ(colour, row.generation == Generation::Frozen ? 0 : kRetainsNothingColour);
    } else {
      EXPECT_GE(retained, colour > 0 ? kRetainedSteps[colour - 1] : 1);
      EXPECT_LT(retained, colour < kRetainedSteps.size() ? kRetainedSteps[colour] : UINT64_MAX);
    }
  });
}

TEST_P(MapPainting, PinnedAreThoseOfHandlesAndThePinnedHeap) {
  std::set<std::uint64_t> pinned;
  const HandleList handles = listHandles(m_snapshot, false, {}).value();
  for (const HandleRow& handle : handles.handles) {
    if (handle.kind == HandleKind::Pinned || handle.kind == HandleKind::AsyncPinned) pinned.insert(handle.object.value);
  }
  const auto map = colours(MapColouring::Pinned);
  const MapPaint paint{.pins = pins()};
  std::uint64_t objects = 0;
  forEachUsed([&](const ObjectRow& row) {
    const bool isPinned = row.generation == Generation::Pinned || pinned.contains(row.address.value);
    EXPECT_EQ(map->colourOf(row) == kPinnedColour, isPinned);
    EXPECT_EQ(markOf(paint, row).isPinned, isPinned);
    objects += isPinned;
  });
  EXPECT_GT(objects, 0u);
  std::uint64_t inCells = 0;
  for (std::uint32_t i = 0; i < m_snapshot.segments().size(); ++i) {
    for (const MapCell& cell : cells(i, 50, paint)) inCells += cell.pinned;
  }
  EXPECT_EQ(inCells, objects);
}

TEST_P(MapPainting, WhatIsHighlightedIsCountedAndTheRestPaled) {
  const TypeId type = someType();
  const auto highlight = MapHighlight::ofType(m_snapshot, type, {}).value();
  EXPECT_EQ(highlight->objects(), m_snapshot.typeCounts().count[type.value]);
  EXPECT_EQ(highlight->bytes(), m_snapshot.typeCounts().bytes[type.value]);
  for (const HighlightedPart& part : highlight->parts()) {
    const Segment& segment = m_snapshot.segments()[part.segment.value];
    EXPECT_TRUE(segment.objects.contains(part.range.start));
    std::uint64_t bytes = 0, objects = 0;
    Address first{~0ull}, last;
    ObjectFilter filter;
    filter.type = type;
    filter.addresses = segment.objects;
    forEachObject(m_snapshot, filter, [&](const ObjectRow& row) {
      ++objects;
      bytes += row.alignedBytes;
      first = std::min(first, row.address);
      last = row.address + row.alignedBytes;
      return true;
    });
    EXPECT_EQ(part.objects, objects);
    EXPECT_EQ(part.bytes, bytes);
    EXPECT_EQ(part.range.start, first);
    EXPECT_EQ(part.range.end, last);
    std::uint64_t used = 0, pale = 0;
    for (const MapCell& cell : cells(part.segment.value, 100, {.highlight = highlight})) {
      used = std::accumulate(cell.usedBytes.begin(), cell.usedBytes.end(), used);
      pale = std::accumulate(cell.paleBytes.begin(), cell.paleBytes.end(), pale);
      EXPECT_EQ(cell.freeBytes, 0u);
    }
    const ObjectTotals& totals = m_snapshot.segmentContents()[part.segment.value].totals;
    EXPECT_EQ(used, bytes);
    EXPECT_EQ(used + pale, totals.bytes - totals.freeBytes);
  }
}

TEST_P(MapPainting, ASetIsHighlightedAsItsObjectsLie) {
  std::vector<std::uint32_t> ids;
  std::set<std::uint32_t> segments;
  forEachUsed([&](const ObjectRow& row) {
    if (row.id.value % 97 != 5) return;
    ids.push_back(row.id.value);
    segments.insert(row.segment.value);
  });
  const auto highlight = MapHighlight::ofObjects(m_snapshot, ids, {}).value();
  EXPECT_EQ(highlight->objects(), ids.size());
  EXPECT_EQ(highlight->parts().size(), segments.size());
  EXPECT_EQ(MapHighlight::ofObjects(m_snapshot, {}, {}).value()->objects(), 0u);
  EXPECT_EQ(MapHighlight::ofType(m_snapshot, {}, {}).value()->objects(), 0u);
}

TEST_P(MapPainting, DensityHasAllBytesWhereTheyLie) {
  const auto highlight = MapHighlight::ofType(m_snapshot, someType(), {}).value();
  ASSERT_EQ(highlight->density().size(), MapHighlight::kDensityCells);
  std::uint64_t whole = 0;
  for (const Segment& segment : m_snapshot.segments()) whole += segment.objects.sizeBytes();
  const double each = static_cast<double>(whole) / MapHighlight::kDensityCells;
  double bytes = 0;
  for (const float share : highlight->density()) bytes += share * each;
  EXPECT_NEAR(bytes, static_cast<double>(highlight->bytes()), static_cast<double>(highlight->bytes()) * 0.02 + 4096);
  for (const HighlightedPart& part : highlight->parts()) {
    const double place = placeInHeap(m_snapshot, part.segment, part.range.start);
    const auto slice = static_cast<std::size_t>(place * MapHighlight::kDensityCells);
    const std::size_t last = std::min(slice + 1, MapHighlight::kDensityCells - 1);
    EXPECT_GT(highlight->density()[std::min(slice, last)] + highlight->density()[last], 0);
    // There and back, but for what a double cannot tell of an address.
    const Address back = addressInHeap(m_snapshot, place);
    EXPECT_LE(std::max(back, part.range.start) - std::min(back, part.range.start), 64u);
  }
}

TEST_P(MapPainting, FreeSpaceHasTheObjectsOnBothSides) {
  const auto pinned = pins();
  std::size_t looked = 0, between = 0;
  std::optional<ObjectRow> before;
  forEachObject(m_snapshot, {}, [&](const ObjectRow& row) {
    const bool adjoins =
        before && before->segment == row.segment && before->address + before->alignedBytes == row.address;
    if (m_snapshot.types()[row.type.value].isFree) {
      const auto found = mapObjectAt(m_snapshot, row.address, pinned.get());
      EXPECT_TRUE(found);
      if (found && adjoins) {
        EXPECT_TRUE(found->sides.before);
        EXPECT_EQ(found->sides.before ? found->sides.before->object.address : Address{}, before->address);
        ++between;
      }
      EXPECT_FALSE(found && found->retainedBytes);
      ++looked;
    } else if (adjoins && m_snapshot.types()[before->type.value].isFree) {
      const auto found = mapObjectAt(m_snapshot, before->address, pinned.get());
      EXPECT_TRUE(found && found->sides.after);
      if (found && found->sides.after) {
        EXPECT_EQ(found->sides.after->object.address, row.address);
        EXPECT_EQ(found->sides.after->pin.has_value(), pinned->find(row.address) != nullptr);
      }
    }
    before = row;
    return looked < 2000;
  });
  EXPECT_GT(between, 0u);
}

INSTANTIATE_TEST_SUITE_P(Data, MapPainting, testing::Values("shop-10", "shop-8-segments", "shop-10-server"),
                         [](const auto& info) { return testName(info.param); });

}  // namespace
}  // namespace heapscape::engine
