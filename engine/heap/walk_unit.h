// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <cstdint>
#include <span>

#include "base/ids.h"
#include "heap/allocation_gaps.h"
#include "heap/object_index.h"
#include "heap/segment.h"
#include "memory/address_space.h"

namespace heapscape::engine {

/// One generation's part of one segment: what a worker walks in one go, and what it found there.
struct WalkUnit {
  SegmentId segment;
  std::uint32_t heap = 0;
  Generation generation = Generation::Gen0;
  Address segmentStart;
  AddressRange range;
  std::span<const AllocationGap> gaps;  // those that begin in the range
  std::uint64_t* words = nullptr;       // the segment's part of the object index
  MemoryView view;                      // the whole range; empty if the dump does not hold all of it

  ObjectTotals totals;
  std::uint64_t unreadBytes = 0;
  std::uint32_t oversizedCount = 0;  // objects that are larger than expected here, and seem sound all the same
  Address oversized;                 // the last of them
  std::uint32_t doubtfulCount = 0;   // arrays that objects may lie under, or old bytes that look like some
  std::uint64_t doubtfulBytes = 0;
  Address doubtful;  // the last of them

  /// Sets bits of one word of the index. Units of one segment meet in a word, so its first and last are set atomically.
  void setBits(std::uint64_t word, std::uint64_t bits) {
    const std::uint64_t first = (range.start - segmentStart) / ObjectIndex::kBytesPerWord;
    const std::uint64_t last = (range.end - segmentStart - 1) / ObjectIndex::kBytesPerWord;
    if (word == first || word == last) {
      __atomic_fetch_or(words + word, bits, __ATOMIC_RELAXED);
    } else {
      words[word] |= bits;
    }
  }
  /// The object that was found last before an address; 0 if there is none in this unit.
  Address lastObjectBefore(Address address) const {
    const std::uint64_t first = (range.start - segmentStart) / 8;
    for (std::uint64_t bit = (address - segmentStart) / 8; bit > first;) {
      const std::uint64_t word = (bit - 1) / 64;
      const std::uint64_t below = ~0ull >> (63 - (bit - 1) % 64);
      if (const std::uint64_t bits = __atomic_load_n(words + word, __ATOMIC_RELAXED) & below) {
        const std::uint64_t found = word * 64 + 63 - static_cast<std::uint64_t>(std::countl_zero(bits));
        return found >= first ? segmentStart + found * 8 : Address{};
      }
      bit = word * 64;
    }
    return {};
  }
  /// Takes the bit of an object back.
  void clearBit(Address object) {
    const std::uint64_t bit = (object - segmentStart) / 8;
    __atomic_fetch_and(words + bit / 64, ~(1ull << bit % 64), __ATOMIC_RELAXED);
  }
};

}  // namespace heapscape::engine
