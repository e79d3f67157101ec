// SPDX-License-Identifier: MIT
#include "session/threads/lock_cycles.h"

#include <algorithm>
#include <unordered_set>

namespace heapscape::engine {

namespace {

using Circle = std::vector<std::uint32_t>;

/// The shortest way from a thread back to itself; empty if there is none.
Circle shortestCircle(const WaitsFor& waitsFor, std::uint32_t start) {
  std::unordered_map<std::uint32_t, std::uint32_t> cameFrom;
  std::vector<std::uint32_t> next{start};
  for (std::size_t i = 0; i < next.size(); ++i) {
    const auto holders = waitsFor.find(next[i]);
    if (holders == waitsFor.end()) continue;
    for (const std::uint32_t holder : holders->second) {
      if (!cameFrom.try_emplace(holder, next[i]).second) continue;
      if (holder != start) {
        next.push_back(holder);
        continue;
      }
      Circle circle;
      for (std::uint32_t at = next[i]; at != start; at = cameFrom.at(at)) circle.push_back(at);
      circle.push_back(start);
      std::ranges::reverse(circle);
      return circle;
    }
  }
  return {};
}

/// Threads whose ways end nowhere are in no circle: they are taken out, one after the other.
void dropFree(WaitsFor& waitsFor) {
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> waiters;
  std::unordered_map<std::uint32_t, std::size_t> left;
  std::vector<std::uint32_t> free;
  for (const auto& [thread, holders] : waitsFor) {
    for (const std::uint32_t holder : holders) {
      waiters[holder].push_back(thread);
      if (!waitsFor.contains(holder)) free.push_back(holder);
    }
    left[thread] = holders.size();
  }
  std::ranges::sort(free);
  free.erase(std::ranges::unique(free).begin(), free.end());
  while (!free.empty()) {
    const std::uint32_t thread = free.back();
    free.pop_back();
    waitsFor.erase(thread);
    for (const std::uint32_t waiter : waiters[thread]) {
      if (--left[waiter] == 0) free.push_back(waiter);
    }
  }
}

}  // namespace

std::vector<std::uint32_t> holdersOf(const LockRow& lock) {
  std::vector<std::uint32_t> holders;
  if (lock.isHeld && lock.ownerManagedId) holders.push_back(lock.ownerManagedId);
  holders.insert(holders.end(), lock.readers.begin(), lock.readers.end());
  return holders;
}

WaitsFor waitsForOf(const std::vector<LockRow>& locks) {
  WaitsFor waitsFor;
  for (const LockRow& lock : locks) {
    if (!lock.isHeld) continue;
    const std::vector<std::uint32_t> holders = holdersOf(lock);
    if (holders.empty()) continue;
    for (const std::uint32_t waiter : lock.waitingThreads) waitsFor[waiter] = holders;
  }
  return waitsFor;
}

std::vector<Circle> findLockCycles(WaitsFor waitsFor) {
  std::vector<Circle> circles;
  dropFree(waitsFor);
  std::vector<std::uint32_t> threads;
  for (const auto& [thread, holders] : waitsFor) threads.push_back(thread);
  std::ranges::sort(threads);
  std::unordered_set<std::uint32_t> told;
  for (const std::uint32_t thread : threads) {
    if (told.contains(thread)) continue;
    Circle circle = shortestCircle(waitsFor, thread);
    if (circle.empty()) continue;  // it only waits for those in one
    const bool isNew = std::ranges::none_of(circle, [&](std::uint32_t member) { return told.contains(member); });
    told.insert(circle.begin(), circle.end());
    if (isNew) circles.push_back(std::move(circle));
  }
  return circles;
}

}  // namespace heapscape::engine
