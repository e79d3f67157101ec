// SPDX-License-Identifier: MIT
#include "heap/walk_worker.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/progress.h"
#include "heap/object_chain.h"
#include "heap/object_head.h"

namespace heapscape::engine {
namespace {

/// Walks one unit object by object with every read checked, and finds its way again behind damage and holes. For what
/// the fast walk cannot do; its figures are the same on a healthy heap.
class CarefulWalk {
 public:
  CarefulWalk(const AddressSpace& memory, WalkTypes& types, FindingList& findings, std::stop_token stop)
      : m_memory(memory), m_types(types), m_chain(memory, types), m_findings(findings), m_stop(std::move(stop)) {}

  /// Goes on at an address of the unit where an object is expected.
  void run(WalkUnit& unit, Address from);

  /// Takes back an object that the walk believed, and walks what lies under it from an address on. Only once all units
  /// are walked. False if the types of this walk never met it.
  bool reopen(WalkUnit& unit, Address object, Address from);

 private:
  /// Where a chain of objects begins again, at or behind an address; the unit's end if there is none.
  Address resynchronise(const WalkUnit& unit, Address from);
  /// Takes back the array that ends at an address where no object begins, if others begin inside of it and lie over
  /// its end. Gives where the first of those begins, else 0.
  Address reopenBefore(WalkUnit& unit, Address end);
  void takeBack(WalkUnit& unit, Address object, const ObjectCandidate& candidate);
  void countMissing(WalkUnit& unit, Address object, std::uint64_t bytes);
  void skipTo(WalkUnit& unit, Address from, Address to);
  void skipSwallowing(WalkUnit& unit, Address from, Address to, std::uint64_t claimedBytes);
  void record(WalkUnit& unit, Address address, const ObjectCandidate& candidate);

  const AddressSpace& m_memory;
  WalkTypes& m_types;
  ObjectChain m_chain;
  FindingList& m_findings;
  std::stop_token m_stop;
  Address m_presentEnd;         // of the memory in one piece in which the walk is
  std::uint64_t m_missing = 0;  // bytes of objects that begin in memory that the dump holds
  Address m_firstMissing;
  int m_looksBack = 0;
};

constexpr int kMostLooksBack = 256;  // in one unit: a hostile file could make each of them long

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

constexpr int kRoundsBetweenPolls = 4096;

template <class T>
T load(const std::byte* from) {
  T value;
  std::memcpy(&value, from, sizeof(T));
  return value;
}

}  // namespace

std::optional<ObjectShape> WalkTypes::readShape(Address methodTable) const {
  const ClrRuntime& runtime = m_methodTables.runtime();
  const auto flags = runtime.valueAt<std::uint32_t>(methodTable, "MethodTable", "MTFlags");
  const auto baseSize = runtime.valueAt<std::uint32_t>(methodTable, "MethodTable", "BaseSize");
  if (!flags || !baseSize) return std::nullopt;
  const Contract& contract = runtime.contract();
  const bool hasComponents = (*flags & contract.constant("MTFlags.HasComponentSize")) != 0;
  const auto componentSize = static_cast<std::uint32_t>(*flags & contract.constant("MTFlags.ComponentSizeMask"));
  const bool isOfReferences =
      (*flags & contract.constant("MTFlags.ContainsGCPointers")) != 0 && componentSize == sizeof(Address::value);
  return ObjectShape{*baseSize, hasComponents ? componentSize : 0, false,
                     hasComponents && (isOfReferences || methodTable == m_string)};
}

const TypeIndex::Slot* WalkTypes::admit(std::uint64_t word) {
  if (!m_methodTables.isMethodTable({word})) return nullptr;
  const auto shape = readShape({word});
  if (!shape) return nullptr;
  insert({word}, *shape);
  return m_index.find(word);
}

/// One unit being walked. Pointers are into the unit's view; the first line is all that most objects need.
struct WalkWorker::Lane {
  const std::byte* at = nullptr;
  const std::byte* origin = nullptr;     // where the segment's objects begin, as if its start were in the view too
  const std::byte* lastStart = nullptr;  // behind it no object fits any more
  const std::byte* end = nullptr;
  const std::byte* nextGap = nullptr;  // `end` if there is none
  std::uint64_t word = 0;              // of the object index, not written yet
  std::uint64_t bits = 0;
  Generation generation = Generation::Gen0;
  std::uint64_t oversizedBytes = UINT64_MAX;  // from this size on an object is looked at more closely

  WalkUnit* unit = nullptr;
  std::size_t gap = 0;
  std::uint64_t gapBytes = 0;
  ObjectTotals totals;  // all but bytes, which follow from where the lane has come

  const std::byte* start() const { return unit->view.bytes.data(); }
  Address address() const { return unit->range.start + static_cast<std::uint64_t>(at - start()); }
  void writeBits() {
    totals.objects += static_cast<std::uint64_t>(std::popcount(bits));
    if (bits) unit->setBits(word, bits);
    bits = 0;
  }
};

void WalkWorker::run(StageProgress* progress, std::stop_token stop) {
  m_stop = std::move(stop);
  Lane lanes[kLanes];
  int count = 0;
  while (count < kLanes && startNext(lanes[count])) ++count;
  while (count > 0 && !m_stop.stop_requested()) {
    stepAll(lanes, count);
    for (int i = 0; i < count;) {
      if (lanes[i].at <= lanes[i].lastStart || finish(lanes[i])) {
        ++i;
      } else {
        lanes[i] = lanes[--count];
      }
    }
    if (progress) {
      progress->report(static_cast<double>(m_queue.walkedBytes.load(std::memory_order_relaxed)) /
                       static_cast<double>(m_queue.totalBytes));
    }
  }
}

// Runs until a lane has come to its end, or long enough to look whether to stop.
void WalkWorker::stepAll(Lane* lanes, int count) {
  bool all = true;
  if (count == kLanes) {
    for (int round = 0; all && round < kRoundsBetweenPolls; ++round) {
#pragma GCC unroll 4
      for (int i = 0; i < kLanes; ++i) all &= step(lanes[i]);
    }
    return;
  }
  for (int round = 0; all && round < kRoundsBetweenPolls; ++round) {
    for (int i = 0; i < count; ++i) all &= step(lanes[i]);
  }
}

bool WalkWorker::startNext(Lane& lane) {
  while (WalkUnit* unit = m_queue.take()) {
    if (m_queue.isOnDisk) m_memory.readAhead(unit->range);
    if (unit->view.bytes.size() < kMinimumObjectBytes) {
      walkCarefully(*unit, unit->range.start);
      continue;
    }
    lane = {};
    lane.unit = unit;
    lane.generation = unit->generation;
    if (isOversized(unit->generation, kLargeObjectBytes)) lane.oversizedBytes = kLargeObjectBytes;
    lane.at = lane.start();
    lane.origin = lane.at - (unit->range.start - unit->segmentStart);
    lane.end = lane.at + unit->view.bytes.size();
    lane.lastStart = lane.end - kMinimumObjectBytes;
    lane.word = static_cast<std::uint64_t>(lane.at - lane.origin) / ObjectIndex::kBytesPerWord;
    lane.nextGap = unit->gaps.empty() ? lane.end : lane.at + (unit->gaps.front().start - unit->range.start);
    if (lane.at >= lane.nextGap) skipGap(lane);
    if (lane.at <= lane.lastStart) return true;
    walkCarefully(*unit, lane.address());
  }
  return false;
}

void WalkWorker::walkCarefully(WalkUnit& unit, Address from) {
  CarefulWalk(m_memory, m_types, m_findings, m_stop).run(unit, from);
  m_queue.walkedBytes += unit.range.sizeBytes();
}

// Once for the bytes of a word of bits: the processor itself reads ahead within a page only.
inline void fetchAhead(const std::byte* at, const std::byte* end) {
  constexpr std::ptrdiff_t kAhead = 1024;
  constexpr std::ptrdiff_t kLine = 64;
  if (end - at < kAhead + static_cast<std::ptrdiff_t>(ObjectIndex::kBytesPerWord)) return;
  for (std::ptrdiff_t line = 0; line < static_cast<std::ptrdiff_t>(ObjectIndex::kBytesPerWord); line += kLine)
    __builtin_prefetch(at + kAhead + line);
}

// Counts the object at the lane's place and goes on to the next; false when the fast walk can go no further.
inline bool WalkWorker::step(Lane& lane) {
  const std::byte* at = lane.at;
  const TypeIndex::Slot* slot = m_types.find(load<std::uint64_t>(at) & kMethodTableMask);
  if (!slot) [[unlikely]]
    return giveUp(lane);
  const std::uint32_t components = load<std::uint32_t>(at + kComponentsOffset);
  const std::uint64_t bytes = alignUp(objectSize(slot->baseSize, slot->componentSize, components), 8);
  if (bytes > static_cast<std::uint64_t>(lane.end - at)) [[unlikely]]
    return giveUp(lane);
  if (bytes >= lane.oversizedBytes && !slot->freeMask && isSwallowing(lane, bytes)) [[unlikely]]
    return giveUp(lane);
  if ((components & slot->swallowingBits) && mayLieOverOthers(lane, *slot, components, bytes) &&
      isLengthDamaged(lane, {slot, components, bytes})) [[unlikely]]
    return giveUp(lane);

  const auto offset = static_cast<std::uint64_t>(at - lane.origin);
  const std::uint64_t word = offset / ObjectIndex::kBytesPerWord;
  if (word != lane.word) {
    lane.writeBits();
    lane.word = word;
    fetchAhead(at, lane.end);
  }
  lane.bits |= 1ull << (offset / 8 % 64);

  TypeCell& cell = m_types.cell(slot->type, lane.generation);
  ++cell.count;
  cell.bytes += bytes;
  cell.components += components;
  if (slot->freeMask) {
    ++lane.totals.freeObjects;
    lane.totals.freeBytes += bytes;
  }

  lane.at = at + bytes;
  if (lane.at >= lane.nextGap) [[unlikely]]
    skipGap(lane);
  return lane.at <= lane.lastStart;
}

// Leaves the rest of the unit to the careful walk.
bool WalkWorker::giveUp(Lane& lane) {
  lane.lastStart = lane.at - 1;
  return false;
}

bool WalkWorker::isSwallowing(const Lane& lane, std::uint64_t bytes) {
  return !!findSwallowed(ObjectChain(m_memory, m_types), *lane.unit, lane.address(), bytes);
}

// Whether a method table's address is where the next object would begin with one bit less in the length, or a context
// lies under the array: quick, and rarely so.
inline bool WalkWorker::mayLieOverOthers(const Lane& lane, const TypeIndex::Slot& slot, std::uint32_t components,
                                         std::uint64_t bytes) const {
  for (std::uint32_t bits = components & slot.swallowingBits; bits; bits &= bits - 1) {
    const std::uint64_t end = alignUp(objectSize(slot.baseSize, slot.componentSize, components - (bits & -bits)), 8);
    if (m_types.isNearMethodTables(load<std::uint64_t>(lane.at + end) & kMethodTableMask)) return true;
  }
  return lane.at + bytes > lane.nextGap;
}

bool WalkWorker::isLengthDamaged(const Lane& lane, const ObjectCandidate& candidate) {
  return !!findDamagedLength(ObjectChain(m_memory, m_types), *lane.unit, lane.address(), candidate);
}

bool WalkWorker::tryReopen(WalkUnit& unit, Address object, Address from) {
  return CarefulWalk(m_memory, m_types, m_findings, m_stop).reopen(unit, object, from);
}

void WalkWorker::skipGap(Lane& lane) {
  const auto& gaps = lane.unit->gaps;
  const Address start = lane.unit->range.start;
  const std::byte* behind =
      lane.start() + (ObjectChain(m_memory, m_types).skipGaps(*lane.unit, lane.address()) - start);
  lane.gapBytes += static_cast<std::uint64_t>(behind - lane.at);
  lane.at = behind;
  while (lane.gap < gaps.size() && lane.start() + (gaps[lane.gap].start - start) <= lane.at) ++lane.gap;
  lane.nextGap = lane.gap < gaps.size() ? lane.start() + (gaps[lane.gap].start - start) : lane.end;
}

// Hands in what a lane has found and takes the next unit; false if there is none.
bool WalkWorker::finish(Lane& lane) {
  lane.writeBits();
  lane.totals.bytes = static_cast<std::uint64_t>(lane.at - lane.start()) - lane.gapBytes;
  lane.unit->totals += lane.totals;
  walkCarefully(*lane.unit, lane.address());
  return startNext(lane);
}

}  // namespace heapscape::engine
