// SPDX-License-Identifier: MIT
#include "heap/flipped_length.h"

#include <algorithm>

#include "heap/object_head.h"
#include "heap/oversized_object.h"

namespace heapscape::engine {
namespace {

/// Calls visit(Address) for each end that the array would have with a bit of its length cleared, the nearest first,
/// until it returns true.
template <class Visit>
Address firstEnd(Address array, const ObjectCandidate& candidate, Visit visit) {
  const TypeIndex::Slot& type = *candidate.type;
  std::uint32_t bits = candidate.components & type.swallowingBits;
  while (bits) {
    const std::uint32_t bit = std::bit_floor(bits);
    bits ^= bit;
    const Address end = array + alignUp(objectSize(type.baseSize, type.componentSize, candidate.components - bit), 8);
    if (visit(end)) return end;
  }
  return {};
}

// Where the first of the objects under an array begins that follow each other up to an address at which one begins.
Address firstBefore(const ObjectChain& chain, const WalkUnit& unit, Address array, Address known) {
  const Address last = array + std::min<std::uint64_t>(known - array, kLargeObjectBytes);
  for (Address at = array + kMinimumObjectBytes; at < last; at += 8) {
    if (chain.reaches(unit, at, known)) return at;
  }
  return known;
}

// An object cannot lie over memory that a thread has not allocated from yet.
Address findContextUnder(const ObjectChain& chain, const WalkUnit& unit, Address array, Address end) {
  const auto gap = std::ranges::upper_bound(unit.gaps, array, {}, &AllocationGap::start);
  if (gap == unit.gaps.end() || gap->start >= end) return {};
  const Address context = gap->start;
  const Address behind = chain.skipGaps(unit, context);
  if (behind == context || !chain.beginsAt(unit, behind)) return {};
  return firstBefore(chain, unit, array, context);
}

}  // namespace

Address findDamagedLength(const ObjectChain& chain, WalkUnit& unit, Address array, const ObjectCandidate& candidate) {
  if (const Address inside = findContextUnder(chain, unit, array, array + candidate.alignedBytes)) return inside;
  const Address inside = findDoubtfulLength(chain, unit, array, candidate);
  if (!inside || candidate.type->neverLooksLikeObjects) return inside;
  unit.doubtful = array;
  ++unit.doubtfulCount;
  unit.doubtfulBytes += candidate.alignedBytes;
  return {};
}

Address findDoubtfulLength(const ObjectChain& chain, const WalkUnit& unit, Address array,
                           const ObjectCandidate& candidate) {
  const Address end = array + candidate.alignedBytes;
  const Address behind = chain.skipGaps(unit, end);
  // Over the end may lie free space, in which old objects begin.
  const auto isUnder = [&](Address at) { return chain.reaches(unit, at, behind) || chain.crosses(unit, at, behind); };
  const Address inside = firstEnd(array, candidate, isUnder);
  return inside ? firstBefore(chain, unit, array, inside) : Address{};
}

Address findAcrossEnd(const ObjectChain& chain, const WalkUnit& unit, Address array, const ObjectCandidate& candidate) {
  const Address end = array + candidate.alignedBytes;
  const auto crosses = [&](Address at) { return chain.beginsAt(unit, at) && chain.crosses(unit, at, end); };
  if (const Address inside = firstEnd(array, candidate, crosses)) return inside;
  const Address last = array + std::min(candidate.alignedBytes, kLargeObjectBytes);
  for (Address at = array + kMinimumObjectBytes; at < last; at += 8) {
    if (crosses(at)) return at;
  }
  return {};
}

}  // namespace heapscape::engine
