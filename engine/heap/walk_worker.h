// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstdint>
#include <span>
#include <stop_token>

#include "base/finding.h"
#include "base/progress.h"
#include "heap/object_chain.h"
#include "heap/walk_types.h"
#include "memory/address_space.h"

namespace heapscape::engine {

/// The units that all workers take from, largest first.
struct WalkQueue {
  std::span<WalkUnit> units;
  bool isOnDisk = false;  // so that each unit is read ahead
  std::atomic<std::size_t> next = 0;
  std::atomic<std::uint64_t> walkedBytes = 0;
  std::uint64_t totalBytes = 0;

  WalkUnit* take() {
    const std::size_t i = next.fetch_add(1, std::memory_order_relaxed);
    return i < units.size() ? &units[i] : nullptr;
  }
};

/// One core's share of the walk. Several units are walked in turn, an object of each, so that the memory latency of one
/// (where the next object begins is known only when the last one's size is) is hidden behind the others.
class WalkWorker {
 public:
  WalkWorker(const MethodTables& methodTables, Address freeMethodTable, WalkQueue& queue)
      : m_memory(methodTables.runtime().memory()), m_types(methodTables, freeMethodTable), m_queue(queue) {}

  /// `progress` only for the worker that runs on the caller's thread, else null.
  void run(StageProgress* progress, std::stop_token stop);

  /// Takes back an object that this worker may have counted, and walks what lies under it instead; see CarefulWalk.
  bool tryReopen(WalkUnit& unit, Address object, Address from);

  const WalkTypes& types() const { return m_types; }
  WalkTypes& types() { return m_types; }
  const FindingList& findings() const { return m_findings; }

 private:
  struct Lane;
  static constexpr int kLanes = 4;

  bool startNext(Lane& lane);
  /// Walks the rest of a unit from an address on; nothing, at its end.
  void walkCarefully(WalkUnit& unit, Address from);
  bool step(Lane& lane);
  bool isSwallowing(const Lane& lane, std::uint64_t bytes);
  bool mayLieOverOthers(const Lane& lane, const TypeIndex::Slot& slot, std::uint32_t components,
                        std::uint64_t bytes) const;
  bool isLengthDamaged(const Lane& lane, const ObjectCandidate& candidate);
  static bool giveUp(Lane& lane);
  void skipGap(Lane& lane);
  void stepAll(Lane* lanes, int count);
  bool finish(Lane& lane);

  const AddressSpace& m_memory;
  WalkTypes m_types;
  WalkQueue& m_queue;
  FindingList m_findings;
  std::stop_token m_stop;
};

}  // namespace heapscape::engine
