// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <stop_token>
#include <vector>

#include "base/result.h"
#include "session/snapshot/snapshot.h"

namespace heapscape::engine {

/// Contents of one slice of a segment's addresses: bytes of live objects by generation, of free objects, and unknown.
struct MapCell {
  std::array<std::uint32_t, kGenerationCount> usedBytes{};
  std::uint32_t freeBytes = 0;
  std::uint32_t objects = 0;  // that start in it, free ones included
};

/// Divides `window` into `cells` slices of equal size and fills them from the objects of the segment. Each object's
/// bytes go to the slices it lies in. Slices behind the segment's objects stay empty.
Outcome<std::vector<MapCell>> mapCells(const Snapshot& snapshot, SegmentId segment, AddressRange window,
                                       std::size_t cells, std::stop_token stop);

}  // namespace heapscape::engine
