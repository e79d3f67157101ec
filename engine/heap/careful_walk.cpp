// SPDX-License-Identifier: MIT
#include "heap/careful_walk.h"

#include <fmt/format.h>

#include <algorithm>

#include "heap/object_head.h"

namespace heapscape::engine {
namespace {

constexpr std::uint64_t kObjectAlignment = 8;
constexpr int kChainLength = 8;  // objects in a row that make a coincidence impossible
constexpr std::uint64_t kStopInterval = 4096;

const AllocationGap* gapAt(const WalkUnit& unit, Address address) {
  const auto gap = std::lower_bound(unit.gaps.begin(), unit.gaps.end(), address,
                                    [](const AllocationGap& g, Address a) { return g.start < a; });
  return gap != unit.gaps.end() && gap->start == address ? &*gap : nullptr;
}

}  // namespace

Address skipGaps(const WalkUnit& unit, Address address, WalkTypes& types, const AddressSpace& memory) {
  for (const AllocationGap* gap = gapAt(unit, address); gap; gap = gapAt(unit, address)) {
    std::uint64_t word = 0;
    if (gap->isFull && memory.tryRead(address, word)) {
      const TypeIndex::Slot* slot = types.find(word & kMethodTableMask);
      if (slot && slot->freeMask) return address;
    }
    // A context ends in the region that it began in; one that does not would take the rest of it silently.
    if (gap->end <= address || gap->end > unit.range.end || gap->end.value % kObjectAlignment != 0) return address;
    address = gap->end;
  }
  return address;
}

void CarefulWalk::run(WalkUnit& unit, Address from) {
  Address at = from;
  for (std::uint64_t steps = 0;; ++steps) {
    at = skipGaps(unit, at, m_types, m_memory);
    if (at >= unit.range.end) return;
    if (steps % kStopInterval == 0 && m_stop.stop_requested()) return;
    Candidate candidate;
    if (tryObject(unit, at, candidate)) {
      record(unit, at, candidate);
      at += candidate.alignedBytes;
      continue;
    }
    const Address next = resynchronise(unit, at);
    skipTo(unit, at, next);
    at = next;
  }
}

bool CarefulWalk::tryObject(const WalkUnit& unit, Address address, Candidate& candidate) {
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

bool CarefulWalk::isChain(const WalkUnit& unit, Address address) {
  for (int length = 0; length < kChainLength; ++length) {
    Candidate candidate;
    if (!tryObject(unit, address, candidate)) return false;
    address = skipGaps(unit, address + candidate.alignedBytes, m_types, m_memory);
    if (address >= unit.range.end) return true;
  }
  return true;
}

Address CarefulWalk::resynchronise(const WalkUnit& unit, Address from) {
  for (const AddressRange& part : m_memory.present({from + 8, unit.range.end})) {
    Address address{alignUp(part.start.value, 8)};
    for (std::uint64_t steps = 0; address + kMinimumObjectBytes <= part.end; address += 8, ++steps) {
      if (steps % kStopInterval == 0 && m_stop.stop_requested()) return unit.range.end;
      if (isChain(unit, address)) return address;
    }
  }
  return unit.range.end;
}

void CarefulWalk::skipTo(WalkUnit& unit, Address from, Address to) {
  unit.unreadBytes += to - from;
  std::uint64_t present = 0;
  for (const AddressRange& part : m_memory.present({from, to})) present += part.sizeBytes();
  const bool isMissing = present < to - from;
  m_findings.add(
      isMissing ? FindingKind::MemoryMissing : FindingKind::HeapDamaged, from,
      fmt::format("{} bytes of {} in heap {} were not walked: {}.", to - from, toString(unit.generation), unit.heap,
                  isMissing ? "the dump does not hold them all" : "no object begins where the last one ended"));
}

void CarefulWalk::record(WalkUnit& unit, Address address, const Candidate& candidate) {
  const std::uint64_t offset = address - unit.segmentStart;
  unit.setBits(offset / ObjectIndex::kBytesPerWord, 1ull << (offset / 8 % 64));
  TypeCell& cell = m_types.cell(candidate.type->type, unit.generation);
  ++cell.count;
  cell.bytes += candidate.alignedBytes;
  cell.components += candidate.components;
  ++unit.totals.objects;
  unit.totals.bytes += candidate.alignedBytes;
  if (candidate.type->freeMask) {
    ++unit.totals.freeObjects;
    unit.totals.freeBytes += candidate.alignedBytes;
  }
}

}  // namespace heapscape::engine
