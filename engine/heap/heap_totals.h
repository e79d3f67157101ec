// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "heap/segment.h"

namespace heapscape::engine {

/// Share of some bytes that was read: 1 only if none is missing.
constexpr double coverageOf(std::uint64_t wholeBytes, std::uint64_t unreadBytes) {
  if (wholeBytes == 0 || unreadBytes == 0) return 1;
  return unreadBytes < wholeBytes ? static_cast<double>(wholeBytes - unreadBytes) / static_cast<double>(wholeBytes) : 0;
}

/// Findings of the walk in one segment; index: SegmentId.
struct SegmentContents {
  ObjectTotals totals;
  std::uint64_t unreadBytes = 0;  // not read as objects that hold up: damaged, missing or changing in a collection
  // Bytes of arrays that were believed, though objects may lie under them; see object_chain.
  std::uint64_t doubtfulBytes = 0;
};

struct GenerationRow {
  Generation generation = Generation::Gen0;
  std::uint32_t heap = 0;
  ObjectTotals totals;
  std::uint64_t wholeBytes = 0;  // of all that the generation's part of the heap spans
  std::uint64_t unreadBytes = 0;
};

/// How much of each type is in some part of the heap. All arrays are indexed by TypeId.
struct TypeCounts {
  std::vector<std::uint64_t> count;
  std::vector<std::uint64_t> bytes;
  std::vector<std::uint64_t> components;  // array elements and characters, all instances
  std::vector<std::array<std::uint64_t, kGenerationCount>> generationBytes;
  std::vector<std::array<std::uint64_t, kGenerationCount>> generationCount;
  // Of these, what no root leads to; empty where that was not counted.
  std::vector<std::uint64_t> garbageCount;
  std::vector<std::uint64_t> garbageBytes;

  TypeCounts() = default;
  /// Zeros for so many types.
  explicit TypeCounts(std::size_t types)
      : count(types), bytes(types), components(types), generationBytes(types), generationCount(types) {}
};

}  // namespace heapscape::engine
