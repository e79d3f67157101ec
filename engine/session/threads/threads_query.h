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

/// One thread of the runtime.
struct ThreadRow {
  Address address;  // of the runtime's Thread
  std::uint32_t managedId = 0;
  std::uint32_t osId = 0;
  std::string name;  // that the program gave it; empty for none
  std::uint32_t stateBits = 0;
  std::vector<std::string> state;  // names of the bits that are set: "background", "threadPoolWorker", "dead" …
  bool isAlive = false;
  bool isBackground = false;
  bool isFinalizer = false;
  bool isGc = false;  // a thread of the GC itself that the runtime knows
  bool isThreadPool = false;
  bool hasDied = false;            // the process died on it (session/threads/crash_cause.h)
  AddressRange allocationContext;  // what is left of it: [pointer, limit); empty for none
  Address managedThread;           // the System.Threading.Thread object; 0 if there is none
  Address exception;               // thrown and not yet done with; 0 for none
  std::string exceptionType;
  std::vector<std::string> exceptionsInFlight = {};  // types of those that it is not done with, the latest first
  std::uint32_t locks = 0;                           // monitors that it holds, thin and sync blocks
  std::uint32_t otherLocks = 0;                      // locks of other kinds that it holds, to read or to write
  std::uint32_t waitsForManagedId = 0;  // holder of the lock that it waits for, where that can be told; 0 else. With
                                        // addWaiting() also who is joined, or runs the task that it waits for
  AddressRange stack;                   // limits that the runtime noted; empty if unknown
  /// By its stack and its statics, alone; known from the Retained stage on.
  std::optional<std::uint64_t> retainedBytes = {};
  std::string doing = {};     // in words, once addActivities() has told; empty where nothing is known
  bool hasExactRoots = true;  // the same: false if words stand in for references that are not known
};

struct ThreadList {
  std::vector<ThreadRow> threads;  // in the runtime's order
  FindingList findings;
};

Outcome<ThreadList> listThreads(const Snapshot& snapshot, std::stop_token stop);
/// Adds what the stacks of the same dump tell of each thread.
void addActivities(ThreadList& list, const StackList& stacks);
/// Adds what else than monitors they wait for.
void addWaiting(ThreadList& list, const BlockedThreads& blocked);

}  // namespace heapscape::engine
