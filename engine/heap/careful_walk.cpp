// SPDX-License-Identifier: MIT
#include "heap/careful_walk.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/stop_interval.h"
#include "heap/flipped_length.h"
#include "heap/object_head.h"
#include "heap/oversized_object.h"

namespace heapscape::engine {
namespace {

constexpr int kMostLooksBack = 256;  // in one unit: a hostile file could make each of them long

}  // namespace

void CarefulWalk::run(WalkUnit& unit, Address from) {
  Address at = from;
  for (std::uint64_t steps = 0;; ++steps) {
    at = m_chain.skipGaps(unit, at);
    if (at >= unit.range.end) break;
    if (steps % kStopInterval == 0 && m_stop.stop_requested()) return;
    ObjectCandidate candidate;
    if (!m_chain.tryObject(unit, at, candidate)) {
      if (const Address inside = reopenBefore(unit, at)) {
        at = inside;
        continue;
      }
      const Address next = resynchronise(unit, at);
      skipTo(unit, at, next);
      at = next;
      continue;
    }
    const bool isOdd = isOversized(unit.generation, candidate.alignedBytes) && !candidate.type->freeMask;
    Address inside = isOdd ? findSwallowed(m_chain, unit, at, candidate.alignedBytes) : Address{};
    if (!inside && (candidate.components & candidate.type->swallowingBits)) {
      inside = findDamagedLength(m_chain, unit, at, candidate);
      if (inside && unit.oversized == at) --unit.oversizedCount;
    }
    if (inside) {
      skipSwallowing(unit, at, inside, candidate.alignedBytes);
      at = inside;
      continue;
    }
    record(unit, at, candidate);
    if (unit.view.bytes.empty()) countMissing(unit, at, candidate.alignedBytes);
    at += candidate.alignedBytes;
  }
  if (m_missing == 0) return;
  unit.unreadBytes += m_missing;
  m_findings.add(FindingKind::MemoryMissing, m_firstMissing,
                 fmt::format("{} bytes of objects of {} in heap {} are not in the dump: it holds where they begin, and "
                             "so their sizes, but not all that they hold.",
                             m_missing, toString(unit.generation), unit.heap));
}

void CarefulWalk::countMissing(WalkUnit& unit, Address object, std::uint64_t bytes) {
  const Address end = object + bytes;
  if (object < m_presentEnd && end <= m_presentEnd) return;
  std::uint64_t present = 0;
  for (const AddressRange& part : m_memory.present({object, unit.range.end})) {
    if (part.start >= end) break;
    present += std::min(part.end, end) - part.start;
    m_presentEnd = part.end;
  }
  if (present == bytes) return;
  if (m_missing == 0) m_firstMissing = object;
  m_missing += bytes - present;
}

Address CarefulWalk::reopenBefore(WalkUnit& unit, Address end) {
  const Address array = unit.lastObjectBefore(end);
  ObjectCandidate candidate;
  if (!array || !m_chain.tryObject(unit, array, candidate) || candidate.type->swallowingBits == 0 ||
      m_chain.skipGaps(unit, array + candidate.alignedBytes) != end || m_looksBack++ >= kMostLooksBack) {
    return {};
  }
  const Address inside = findAcrossEnd(m_chain, unit, array, candidate);
  if (!inside) return {};
  takeBack(unit, array, candidate);
  skipSwallowing(unit, array, inside, candidate.alignedBytes);
  return inside;
}

void CarefulWalk::takeBack(WalkUnit& unit, Address object, const ObjectCandidate& candidate) {
  TypeCell& cell = m_types.cell(candidate.type->type, unit.generation);
  --cell.count;
  cell.bytes -= candidate.alignedBytes;
  cell.components -= candidate.components;
  --unit.totals.objects;
  unit.totals.bytes -= candidate.alignedBytes;
  unit.clearBit(object);
}

bool CarefulWalk::reopen(WalkUnit& unit, Address object, Address from) {
  ObjectCandidate candidate;
  if (!m_chain.tryObject(unit, object, candidate)) return false;
  if (m_types.cell(candidate.type->type, unit.generation).count == 0) return false;
  takeBack(unit, object, candidate);
  skipSwallowing(unit, object, from, candidate.alignedBytes);
  const Address end = m_chain.skipGaps(unit, object + candidate.alignedBytes);
  for (Address at = from; at < end && m_chain.tryObject(unit, at, candidate);) {
    record(unit, at, candidate);
    at = m_chain.skipGaps(unit, at + candidate.alignedBytes);
  }
  return true;
}

Address CarefulWalk::resynchronise(const WalkUnit& unit, Address from) {
  for (const AddressRange& part : m_memory.present({from + 8, unit.range.end})) {
    Address address{alignUp(part.start.value, 8)};
    for (std::uint64_t steps = 0; address + kMinimumObjectBytes <= part.end; address += 8, ++steps) {
      if (steps % kStopInterval == 0 && m_stop.stop_requested()) return unit.range.end;
      if (m_chain.beginsAt(unit, address)) return address;
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

void CarefulWalk::skipSwallowing(WalkUnit& unit, Address from, Address to, std::uint64_t claimedBytes) {
  unit.unreadBytes += to - from;
  m_findings.add(
      FindingKind::HeapDamaged, from,
      fmt::format("{} bytes of {} in heap {} were not walked: the object there claims {} bytes and would lie "
                  "over others that follow each other from {} on, so its length is damaged.",
                  to - from, toString(unit.generation), unit.heap, claimedBytes, toString(to)));
}

void CarefulWalk::record(WalkUnit& unit, Address address, const ObjectCandidate& candidate) {
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
