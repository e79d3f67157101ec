// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/finding.h"
#include "base/result.h"
#include "session/snapshot/snapshot.h"

namespace heapscape::engine {

/// Work that waits for a thread of the pool.
struct WorkItemRow {
  Address object;
  std::string typeName;
  std::string method;  // "Shop.Orders.Place"; of an async method its name; empty where that cannot be told
};

/// One of the thread pool's queues.
struct WorkQueueRow {
  std::string name;            // "global", "high priority", "low priority", "assignable 0", "local"
  std::uint32_t threadId = 0;  // managed id of the thread whose local queue it is; 0 for others, and where unknown
  Address object;
  std::uint64_t count = 0;              // of items
  std::vector<WorkItemRow> items = {};  // as they would be taken; at most so many as were asked for
};

/// How many threads the pool has, by its own counts.
struct PoolThreads {
  std::int32_t working = 0;   // that process work items
  std::int32_t existing = 0;  // workers, idle ones too
  std::int32_t goal = 0;      // that the pool wants to have just now
  std::int32_t minimum = 0, maximum = 0;
};

struct ThreadPoolState {
  std::vector<WorkQueueRow> queues;    // empty ones are left out, but not the global one
  std::optional<PoolThreads> threads;  // nothing if the program uses no pool, or another one
  std::string missing;                 // why there are no queues; empty if there are
  FindingList findings;
};

/// `itemLimit`: at most so many items of each queue are listed.
Outcome<ThreadPoolState> readThreadPool(const Snapshot& snapshot, std::size_t itemLimit, std::stop_token stop);

/// Objects in all queues of the pool, ascending; none if the program has not used it. Nothing if they cannot be read.
std::optional<std::vector<Address>> queuedInThreadPool(const Snapshot& snapshot);

/// A timer that is scheduled.
struct TimerRow {
  Address object;                                   // the runtime's TimerQueueTimer
  std::optional<std::uint32_t> periodMilliseconds;  // nothing for one that fires once
  std::uint32_t dueMilliseconds = 0;                // from when it was set, or last fired, to when it fires
  /// At most so much of that is left: as of the last time that a timer was started. Nothing if unknown.
  std::optional<std::int64_t> remainingMilliseconds;
  std::string method;     // that it calls: "Shop.Cache.Trim"; empty where that cannot be told
  Address state;          // that the method is given; 0 for null
  std::string stateType;  // empty for null
};

struct TimerList {
  std::vector<TimerRow> timers = {};  // soonest first
  std::string missing;                // why none can be listed; empty if they are
  FindingList findings;
};

/// The timers in the runtime's queues: of Timer, Task.Delay, PeriodicTimer, time-outs. From the Objects stage on.
Outcome<TimerList> listTimers(const Snapshot& snapshot, std::stop_token stop);

}  // namespace heapscape::engine
