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

}  // namespace heapscape::engine
