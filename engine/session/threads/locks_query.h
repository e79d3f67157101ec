// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/finding.h"
#include "base/result.h"
#include "session/door/snapshot.h"
#include "session/threads/stacks_query.h"

namespace heapscape::engine {

enum class LockKind : std::uint8_t { Thin, SyncBlock };
/// "thin", "syncBlock".
const char* toString(LockKind kind);

/// A monitor that is or was used: a thin lock in an object's header, or a sync block.
struct LockRow {
  LockKind kind = LockKind::Thin;
  Address object;        // 0 for a sync block without one
  std::string typeName;  // of the object
  Address methodTable;
  bool isHeld = false;
  std::uint32_t ownerManagedId = 0;  // 0 if nobody holds it
  std::uint32_t ownerOsId = 0;
  std::string ownerName;                      // of the thread, where it has one
  std::string ownerDoing = {};                // what that thread does, where activities are told
  std::uint32_t recursion = 0;                // thin: enters − 1; sync block: enters
  std::uint32_t waiting = 0;                  // threads that wait to enter
  std::vector<std::uint32_t> waitingThreads;  // managed ids of those among them that the runtime's notes name
  std::uint32_t syncBlockIndex = 0;           // 0 for a thin lock
  Address syncBlock;
  std::uint32_t hashCode = 0;  // kept in the sync block; 0 for none
  bool hasInterop = false;     // the sync block holds data of COM or of a runtime-callable wrapper
};

struct LockList {
  std::vector<LockRow> locks;  // thin ones first by address, then sync blocks by index
  /// Managed ids of threads that wait for each other in a circle; each begins with its lowest id.
  std::vector<std::vector<std::uint32_t>> cycles;
  FindingList findings;
};

/// All thin locks and used sync blocks. The first to ask at a stage walks the heap's headers; the list is kept.
Outcome<LockList> listLocks(const Snapshot& snapshot, std::stop_token stop);

/// The same with what the threads that hold them do, for which all stacks are walked.
Outcome<LockList> listLocksWithActivities(const Snapshot& snapshot, std::stop_token stop);

/// Adds what stacks of the same dump tell of the threads that hold locks.
void addActivities(LockList& list, const StackList& stacks);

/// The lock of one object: a thin one or its sync block; nothing if it has neither.
std::optional<LockRow> lockOf(const Snapshot& snapshot, Address object);

}  // namespace heapscape::engine
