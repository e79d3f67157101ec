// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/address.h"
#include "base/enum_names.h"

namespace heapscape::engine {

/// Where an object lives in the GC's order of age, with the three heaps outside it.
enum class Generation : std::uint8_t { Gen0, Gen1, Gen2, Large, Pinned, Frozen };
template <>
inline constexpr auto kEnumNames<Generation> = std::to_array<EnumName<Generation>>({{Generation::Gen0, "gen0"},
                                                                                    {Generation::Gen1, "gen1"},
                                                                                    {Generation::Gen2, "gen2"},
                                                                                    {Generation::Large, "large"},
                                                                                    {Generation::Pinned, "pinned"},
                                                                                    {Generation::Frozen, "frozen"}});
inline constexpr auto kGenerations = membersOf<Generation>();
inline constexpr std::size_t kGenerationCount = kGenerations.size();

/// Use of a segment. Ephemeral: a classic segment that holds generations 0, 1 and the young end of 2.
enum class SegmentKind : std::uint8_t { Gen0, Gen1, Gen2, Ephemeral, Large, Pinned, Frozen };
template <>
inline constexpr auto kEnumNames<SegmentKind> = std::to_array<EnumName<SegmentKind>>({{SegmentKind::Gen0, "gen0"},
                                                                                      {SegmentKind::Gen1, "gen1"},
                                                                                      {SegmentKind::Gen2, "gen2"},
                                                                                      {SegmentKind::Ephemeral,
                                                                                       "ephemeral"},
                                                                                      {SegmentKind::Large, "large"},
                                                                                      {SegmentKind::Pinned, "pinned"},
                                                                                      {SegmentKind::Frozen, "frozen"}});

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
