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

}  // namespace heapscape::engine
