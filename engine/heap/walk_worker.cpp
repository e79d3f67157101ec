// SPDX-License-Identifier: MIT
#include "heap/walk_worker.h"

#include <bit>
#include <cstring>

#include "heap/careful_walk.h"
#include "heap/flipped_length.h"
#include "heap/object_head.h"
#include "heap/oversized_object.h"

namespace heapscape::engine {
namespace {

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
