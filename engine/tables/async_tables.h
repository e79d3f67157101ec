// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "session/async/async_query.h"
#include "session/async/thread_pool_query.h"
#include "tables/table.h"

namespace heapscape::engine {

/// Equal chains of async methods in words. What only one chain can have is nothing where there are several.
struct ListedChains {
  std::uint32_t group = 0;  // index
  std::uint64_t chains = 0;
  std::uint64_t calls = 0;           // of one chain
  std::vector<std::string> methods;  // of one chain, innermost first
  std::string innermost;
  std::string outermost;                // that nobody waits for
  std::optional<std::string> waitsFor;  // nothing while it runs
  AsyncState state = AsyncState::Suspended;
  std::vector<Address> objects;  // of the innermost calls
  std::optional<std::uint64_t> retainedBytes;
  bool isRetainedExact = true;
  bool isReachable = true;
  bool isFramework = false;
  std::optional<std::string> callback;  // what is called when the outermost has ended
  std::optional<Address> awaited;
  std::optional<std::uint32_t> milliseconds;  // that a Task.Delay takes in all
};
std::vector<ListedChains> listChains(const AsyncList& list);
const TableOf<ListedChains>& chainsTable();

/// Each has its items.
const TableOf<WorkQueueRow>& queuesTable();
const TableOf<TimerRow>& timersTable();

/// Timers that call the same method with the same type and period.
struct EqualTimers {
  std::uint64_t timers = 0;
  TimerRow soonest;
};
/// The most first.
std::vector<EqualTimers> listEqualTimers(const TimerList& list);
const TableOf<EqualTimers>& equalTimersTable();

}  // namespace heapscape::engine
