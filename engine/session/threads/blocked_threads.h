// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

#include "base/finding.h"
#include "base/result.h"
#include "session/stacks/stacks_query.h"
#include "session/threads/locks_query.h"

namespace heapscape::engine {

enum class BlockedOn : std::uint8_t {
  Task,
  Thread,  // its end
  Object,  // a lock other than a monitor, an event, a semaphore …; or a monitor's pulse
};

/// A thread that waits for something other than to enter a monitor, as its stack tells.
struct BlockedThread {
  std::uint32_t managedId = 0;
  BlockedOn kind = BlockedOn::Object;
  Address object = {};         // the task, the System.Threading.Thread, the lock …; 0 where its frames keep none
  std::string called = {};     // what it waits in: "Task.Wait"
  std::string name = {};       // of a task "Shop.Orders.PlaceAsync", "Task.WhenAll"; else the object's type, or empty
  bool isMethod = false;       // it is a call of an async method
  std::int32_t await = -1;     // number of the await at which that waits; -1 if at none
  std::string innermost = {};  // the async method at the end of its chain, if that is another
  std::string waitsFor = {};   // what that waits for in turn: "Task.Delay"; empty if it runs, or where nothing is known
  std::uint32_t owner = 0;  // managed id of the thread that is joined, runs the task, or holds the lock; 0 if unknown
  std::vector<std::uint32_t> readers = {};  // of a reader-writer lock: others that hold it
};

struct BlockedThreads {
  std::vector<BlockedThread> threads;  // in the order of the stacks
  /// Managed ids of threads that wait for each other in a circle, be it for monitors or through what else is known;
  /// each begins with its lowest id.
  std::vector<std::vector<std::uint32_t>> deadlocks;
  FindingList findings;
};

/// All of them. `stacks`: with roots; `locks`: of the same dump. From the Objects stage on; looks for async methods
/// only if a thread blocks on a task.
Outcome<BlockedThreads> listBlockedThreads(const Snapshot& snapshot, const StackList& stacks, const LockList& locks,
                                           std::stop_token stop);

/// Adds to locks which threads wait for those that are no monitors, and the circles through everything that is known.
void addWaiting(LockList& list, const BlockedThreads& blocked);

}  // namespace heapscape::engine
