// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <cstdint>
#include <span>

#include "base/ids.h"
#include "heap/allocation_gaps.h"
#include "heap/object_index.h"
#include "heap/segment.h"
#include "heap/walk_types.h"
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

/// An address taken for an object.
struct ObjectCandidate {
  const TypeIndex::Slot* type = nullptr;
  std::uint32_t components = 0;
  std::uint64_t alignedBytes = 0;
};

/// Tells objects from other bytes by what follows them. Every read is checked.
class ObjectChain {
 public:
  ObjectChain(const AddressSpace& memory, WalkTypes& types) : m_memory(memory), m_types(types) {}

  /// False if no object of the unit can begin there.
  bool tryObject(const WalkUnit& unit, Address address, ObjectCandidate& candidate) const;
  /// Whether eight objects follow each other from an address on, or fewer with which the unit ends.
  bool beginsAt(const WalkUnit& unit, Address address) const;
  /// Whether objects follow each other from one address on right up to another.
  bool reaches(const WalkUnit& unit, Address from, Address to) const;
  /// Whether objects follow each other from one address on, over another address and beyond.
  bool crosses(const WalkUnit& unit, Address from, Address over) const;
  /// Where the walk goes on from an address at which a gap of an allocation context begins; the address itself if none
  /// does, or if the context was full and the GC has already made a free object of its slack.
  Address skipGaps(const WalkUnit& unit, Address address) const;

 private:
  /// Like tryObject, where an object's padding is in front of it. Among the addresses of method tables, which a runtime
  /// keeps in arrays of its own, there is none.
  bool tryPadded(const WalkUnit& unit, Address address, ObjectCandidate& candidate) const;

  const AddressSpace& m_memory;
  WalkTypes& m_types;
};

/// From this size on the GC puts objects on the large object heap. GCLOHThreshold can raise it, and does not show.
inline constexpr std::uint64_t kLargeObjectBytes = 85'000;

/// Whether objects of this size are not expected in a generation.
constexpr bool isOversized(Generation generation, std::uint64_t bytes) {
  return bytes >= kLargeObjectBytes && generation <= Generation::Gen2;
}

/// An array with a damaged length lies over the objects behind it, and the walk would take them for its elements. Gives
/// where those begin if the array ends where no object does; else 0, and the unit remembers the array, for it may end
/// there by chance.
Address findSwallowed(const ObjectChain& chain, WalkUnit& unit, Address object, std::uint64_t bytes);

/// The first object that an array which the unit remembers has swallowed: objects begin inside and follow each other up
/// to its end. Where the size of large objects was raised, old bytes in a new array may look alike, so ask only if it
/// is alone in the whole heap.
Address findSwallowedToEnd(const ObjectChain& chain, const WalkUnit& unit, Address object, std::uint64_t bytes);

/// An array that ends where an object begins is believed by the walk, even if it got there by a damaged length. Looks
/// where it would end with each bit of its length cleared: if objects follow each other from there up to or over its
/// end, or if an allocation context lies under it, it is an array over other objects. Certain for strings and arrays of
/// references, which cannot hold the address of a method table: gives where those objects begin. Other arrays may have
/// been left as they were when they were allocated (GC.AllocateUninitializedArray, ArrayPool): those the unit remembers
/// as doubtful, and 0 is given.
Address findDamagedLength(const ObjectChain& chain, WalkUnit& unit, Address array, const ObjectCandidate& candidate);

/// An object that an array which the unit remembers may lie over. Old bytes look so in many arrays or in none, so ask
/// only if it is alone in the whole heap.
Address findDoubtfulLength(const ObjectChain& chain, const WalkUnit& unit, Address array,
                           const ObjectCandidate& candidate);

/// Where objects begin inside of an array that ends where none does, if they follow each other beyond its end; else 0.
Address findAcrossEnd(const ObjectChain& chain, const WalkUnit& unit, Address array, const ObjectCandidate& candidate);

}  // namespace heapscape::engine
