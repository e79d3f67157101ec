// SPDX-License-Identifier: MIT
#include "session/threads/lock_cycles.h"

#include <algorithm>

namespace heapscape::engine {

WaitsFor waitsForOf(const std::vector<LockRow>& locks) {
  WaitsFor waitsFor;
  for (const LockRow& lock : locks) {
    if (!lock.isHeld) continue;
    for (const std::uint32_t waiter : lock.waitingThreads) waitsFor[waiter] = lock.ownerManagedId;
  }
  return waitsFor;
}

std::vector<std::vector<std::uint32_t>> findLockCycles(const WaitsFor& waitsFor) {
  std::vector<std::vector<std::uint32_t>> cycles;
  std::unordered_map<std::uint32_t, std::uint32_t> reachedFrom;  // by thread: where the walk that met it first began
  for (const auto& [start, owner] : waitsFor) {
    std::uint32_t thread = start;
    auto next = waitsFor.find(thread);
    while (next != waitsFor.end() && reachedFrom.try_emplace(thread, start).second) {
      thread = next->second;
      next = waitsFor.find(thread);
    }
    // Only a walk that comes back to its own track has found a new circle.
    if (next == waitsFor.end() || reachedFrom.at(thread) != start) continue;
    std::vector<std::uint32_t> cycle;
    for (std::uint32_t member = thread; cycle.empty() || member != thread; member = waitsFor.at(member))
      cycle.push_back(member);
    std::ranges::rotate(cycle, std::ranges::min_element(cycle));
    cycles.push_back(std::move(cycle));
  }
  std::ranges::sort(cycles);
  return cycles;
}

}  // namespace heapscape::engine
