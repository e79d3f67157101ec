// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/address.h"

namespace heapscape::engine {

/// Where an object lives in the GC's order of age, with the three heaps outside it.
enum class Generation : std::uint8_t { Gen0, Gen1, Gen2, Large, Pinned, Frozen };
inline constexpr std::size_t kGenerationCount = 6;
inline constexpr std::array<Generation, kGenerationCount> kGenerations{
    Generation::Gen0, Generation::Gen1, Generation::Gen2, Generation::Large, Generation::Pinned, Generation::Frozen};
/// "gen0", "gen1", "gen2", "large", "pinned", "frozen".
const char* toString(Generation generation);

/// What a segment is used for. Ephemeral: a classic segment that holds generations 0, 1 and the young end of 2.
enum class SegmentKind : std::uint8_t { Gen0, Gen1, Gen2, Ephemeral, Large, Pinned, Frozen };
const char* toString(SegmentKind kind);

struct GenerationRange {
  Generation generation = Generation::Gen0;
  AddressRange range;
};

/// One heap_segment of the GC: a region, or a classic segment.
struct Segment {
  Address address;  // of the runtime's structure
  SegmentKind kind = SegmentKind::Gen0;
  std::uint32_t heap = 0;  // 0 on a workstation GC
  AddressRange objects;    // objects lie in [start, end)
  Address committedEnd;
  Address reservedEnd;
  std::vector<GenerationRange> generations;  // cover `objects` in address order; one except in an ephemeral segment

  Generation generationOf(Address object) const;
};

/// Counts of a part of the heap. Bytes are aligned sizes; free objects are counted in both.
struct ObjectTotals {
  std::uint64_t objects = 0;
  std::uint64_t bytes = 0;
  std::uint64_t freeObjects = 0;
  std::uint64_t freeBytes = 0;

  ObjectTotals& operator+=(const ObjectTotals& other) {
    objects += other.objects;
    bytes += other.bytes;
    freeObjects += other.freeObjects;
    freeBytes += other.freeBytes;
    return *this;
  }
};

}  // namespace heapscape::engine
