// SPDX-License-Identifier: MIT
#pragma once

#include "heap/object_chain.h"
#include "heap/segment.h"

namespace heapscape::engine {

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

/// The same for one that the unit remembers: objects begin inside and follow each other up to its end. Where the size
/// of large objects was raised, old bytes in a new array may look alike, so ask only if it is alone in the whole heap.
Address findSwallowedToEnd(const ObjectChain& chain, const WalkUnit& unit, Address object, std::uint64_t bytes);

}  // namespace heapscape::engine
