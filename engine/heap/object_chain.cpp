// SPDX-License-Identifier: MIT
#include "heap/object_chain.h"

#include <algorithm>

#include "heap/object_head.h"

namespace heapscape::engine {
namespace {

constexpr int kChainLength = 8;  // objects in a row that make a coincidence impossible

const AllocationGap* gapAt(const WalkUnit& unit, Address address) {
  const auto gap = std::lower_bound(unit.gaps.begin(), unit.gaps.end(), address,
                                    [](const AllocationGap& g, Address a) { return g.start < a; });
  return gap != unit.gaps.end() && gap->start == address ? &*gap : nullptr;
}

}  // namespace

bool ObjectChain::tryObject(const WalkUnit& unit, Address address, ObjectCandidate& candidate) const {
  std::uint64_t word = 0;
  if (unit.range.end - address < kMinimumObjectBytes || !m_memory.tryRead(address, word) ||
      !m_memory.tryRead(address + kComponentsOffset, candidate.components)) {
    return false;
  }
  candidate.type = m_types.find(word & kMethodTableMask);
  if (!candidate.type) return false;
  candidate.alignedBytes =
      alignUp(objectSize(candidate.type->baseSize, candidate.type->componentSize, candidate.components), 8);
  return candidate.alignedBytes <= unit.range.end - address;
}

bool ObjectChain::tryPadded(const WalkUnit& unit, Address address, ObjectCandidate& candidate) const {
  if (!tryObject(unit, address, candidate)) return false;
  std::uint32_t padding = 0;
  return candidate.type->freeMask || !m_memory.tryRead(address - kPaddingDistance, padding) || padding == 0;
}

bool ObjectChain::beginsAt(const WalkUnit& unit, Address address) const {
  for (int length = 0; length < kChainLength && address < unit.range.end; ++length) {
    ObjectCandidate candidate;
    if (!tryPadded(unit, address, candidate)) return false;
    address = skipGaps(unit, address + candidate.alignedBytes);
  }
  return true;
}

bool ObjectChain::reaches(const WalkUnit& unit, Address from, Address to) const {
  while (from < to) {
    ObjectCandidate candidate;
    if (!tryPadded(unit, from, candidate)) return false;
    from = skipGaps(unit, from + candidate.alignedBytes);
  }
  return from == to;
}

bool ObjectChain::crosses(const WalkUnit& unit, Address from, Address over) const {
  ObjectCandidate candidate;
  while (from < over) {
    if (!tryPadded(unit, from, candidate)) return false;
    const Address end = from + candidate.alignedBytes;
    from = skipGaps(unit, end);
    if (end > over) return beginsAt(unit, from);
  }
  return false;
}

Address ObjectChain::skipGaps(const WalkUnit& unit, Address address) const {
  for (const AllocationGap* gap = gapAt(unit, address); gap; gap = gapAt(unit, address)) {
    std::uint64_t word = 0;
    if (gap->isFull && m_memory.tryRead(address, word)) {
      const TypeIndex::Slot* slot = m_types.find(word & kMethodTableMask);
      if (slot && slot->freeMask) return address;
    }
    // A context ends in the region that it began in; one that does not would take the rest of it silently.
    if (gap->end <= address || gap->end > unit.range.end || gap->end.value % kPointerBytes != 0) return address;
    address = gap->end;
  }
  return address;
}

namespace {

// Where objects begin inside of one that cannot be as large as it says; 0 if there are none. They do within the size of
// large objects, for else it would be one in truth.
Address findInside(const ObjectChain& chain, const WalkUnit& unit, Address object, std::uint64_t bytes) {
  const Address last = object + std::min(bytes, kLargeObjectBytes);
  for (Address at = object + kMinimumObjectBytes; at < last; at += 8) {
    if (chain.beginsAt(unit, at)) return at;
  }
  return {};
}

}  // namespace

Address findSwallowed(const ObjectChain& chain, WalkUnit& unit, Address object, std::uint64_t bytes) {
  if (!chain.beginsAt(unit, chain.skipGaps(unit, object + bytes))) return findInside(chain, unit, object, bytes);
  if (unit.oversized != object) ++unit.oversizedCount;  // a careful walk may begin with it again
  unit.oversized = object;
  return {};
}

Address findSwallowedToEnd(const ObjectChain& chain, const WalkUnit& unit, Address object, std::uint64_t bytes) {
  const Address inside = findInside(chain, unit, object, bytes);
  return inside && chain.reaches(unit, inside, chain.skipGaps(unit, object + bytes)) ? inside : Address{};
}

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
