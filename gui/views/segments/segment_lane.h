// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/ids.h"
#include "heap/segment.h"
#include "session/snapshot/snapshot.h"

namespace heapscape::gui {

/// A segment as a row of the map.
struct Lane {
  engine::SegmentId id;
  std::uint32_t heap = 0;
  std::uint64_t bytes = 0;  // from its start to the end of what is committed
};

/// A choice of segments for the map, and their order within their heap.
struct LaneFilter {
  enum class Order : std::uint8_t { Generation, Address, Size };

  std::optional<std::uint32_t> heap;
  std::array<bool, engine::kGenerationCount> generations{true, true, true, true, true, true};
  bool hideEmpty = false;
  Order order = Order::Generation;
  bool operator==(const LaneFilter&) const = default;
};

/// True if the filter lets this segment through. An ephemeral one passes if any of its generations does.
bool passes(const engine::Segment& segment, const engine::SegmentContents* contents, const LaneFilter& filter);

/// The segments that pass, by heap.
std::vector<Lane> buildLanes(const engine::Snapshot& snapshot, const LaneFilter& filter);
std::vector<Lane> buildLanes(const std::vector<engine::Segment>& segments,
                             const std::vector<engine::SegmentContents>& contents, const LaneFilter& filter);

/// Bytes from a segment's start to the end of what is committed, at least what its objects take.
std::uint64_t committedSpan(const engine::Segment& segment);
/// Reserved address space behind what is committed.
std::uint64_t reservedBytes(const engine::Segment& segment);
/// The generation that names and colours the segment; of an ephemeral one the generation with the most bytes.
engine::Generation mainGeneration(const engine::Segment& segment);

/// The span that lanes of one scale share: the longest lane that is not far longer than nearly all others, so that one
/// huge segment does not squeeze the rest to nothing.
std::uint64_t commonSpan(const std::vector<Lane>& lanes);

/// Totals of a lane, or of several together: what they hold, and how much of them was read.
struct LaneTotals {
  engine::ObjectTotals objects;
  std::uint64_t wholeBytes = 0;
  std::uint64_t unreadBytes = 0;
};

LaneTotals totalsOf(const engine::Segment& segment, const engine::SegmentContents& contents);
/// The totals of all lanes of a heap.
LaneTotals totalsOf(const std::vector<Lane>& lanes, std::uint32_t heap, const std::vector<engine::Segment>& segments,
                    const std::vector<engine::SegmentContents>& contents);

}  // namespace heapscape::gui
