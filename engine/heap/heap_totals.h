// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "heap/segment.h"

namespace heapscape::engine {

/// What the walk found in one segment; index: SegmentId.
struct SegmentContents {
  ObjectTotals totals;
  std::uint64_t unreadBytes = 0;  // not walked, because damaged, missing or changing during a collection
};

struct GenerationRow {
  Generation generation = Generation::Gen0;
  std::uint32_t heap = 0;
  ObjectTotals totals;
};

/// How much of each type is in some part of the heap. All arrays are indexed by TypeId.
struct TypeCounts {
  std::vector<std::uint64_t> count;
  std::vector<std::uint64_t> bytes;
  std::vector<std::uint64_t> components;  // array elements and characters, all instances
  std::vector<std::array<std::uint64_t, kGenerationCount>> generationBytes;
  std::vector<std::array<std::uint64_t, kGenerationCount>> generationCount;
};

}  // namespace heapscape::engine
