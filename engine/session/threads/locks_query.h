// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/enum_names.h"
#include "base/finding.h"
#include "base/result.h"
#include "session/snapshot/snapshot.h"
#include "session/stacks/stacks_query.h"

namespace heapscape::engine {

enum class LockKind : std::uint8_t { Thin, SyncBlock, Lock, ReaderWriterLock };

template <>
inline constexpr auto kEnumNames<LockKind> = std::to_array<EnumName<LockKind>>({{LockKind::Thin, "thin"},
                                                                                {LockKind::SyncBlock, "syncBlock"},
                                                                                {LockKind::Lock, "lock"},
                                                                                {LockKind::ReaderWriterLock,
                                                                                 "readerWriterLock"}});

/// Whether it is a monitor, which any object can be: thin, or in a sync block.
constexpr bool isMonitor(LockKind kind) {
  return kind == LockKind::Thin || kind == LockKind::SyncBlock;
}

/// A monitor that is or was used: a thin lock in an object's header, or a sync block. Or a System.Threading.Lock or a
/// ReaderWriterLockSlim that is held or awaited, by its fields.
struct LockRow {
  LockKind kind = LockKind::Thin;
  Address object;        // 0 for a sync block without one
  std::string typeName;  // of the object
  Address methodTable;
  bool isHeld = false;
  /// The thread that holds it is gone, so that nobody can enter it any more. The ids below may be unknown.
  bool hasOwnerEnded = false;
  std::uint32_t ownerManagedId = 0;  // 0 if nobody holds it, or only readers do
  std::uint32_t ownerOsId = 0;
  std::string ownerName;                      // of the thread, where it has one
  std::string ownerDoing = {};                // what that thread does, where activities are told
  std::uint32_t recursion = 0;                // thin, lock: enters − 1; sync block, reader-writer lock: enters
  std::vector<std::uint32_t> readers = {};    // of a reader-writer lock: managed ids of threads that read
  std::uint32_t readerCount = 0;              // the same by its own count; may be more than threads tell
  bool isUpgradeable = false;                 // its owner has entered it to read, with the right to write next
  std::uint32_t waiting = 0;                  // threads that wait to enter
  std::vector<std::uint32_t> waitingThreads;  // managed ids of those among them that the runtime or stacks name
  std::uint32_t syncBlockIndex = 0;           // 0 for a thin lock
  Address syncBlock;
  std::uint32_t hashCode = 0;  // kept in the sync block; 0 for none
  bool hasInterop = false;     // the sync block holds data of COM or of a runtime-callable wrapper
};

struct LockList {
  std::vector<LockRow> locks;  // thin ones first by address, then sync blocks by index, then others by address
  /// Managed ids of threads that wait for each other in a circle; each begins with its lowest id. By monitors alone,
  /// until addWaiting() has told of others.
  std::vector<std::vector<std::uint32_t>> cycles;
  FindingList findings;
};

/// All thin locks, used sync blocks, and other locks that are held or awaited. The first to ask at a stage walks the
/// heap's headers; the list is kept.
Outcome<LockList> listLocks(const Snapshot& snapshot, std::stop_token stop);

/// Lists locks with what the threads that hold them do and with those that wait for other locks than monitors, for
/// which all stacks are walked.
Outcome<LockList> listLocksWithActivities(const Snapshot& snapshot, std::stop_token stop);

/// Adds what stacks of the same dump tell of the threads that hold locks.
void addActivities(LockList& list, const StackList& stacks);

/// The lock of one object: a thin one, its sync block, or what the object itself is; nothing if it has none.
std::optional<LockRow> lockOf(const Snapshot& snapshot, Address object);

/// Managed ids: which threads each waiting one waits for. A thread waits for one lock at a time, but several may read
/// behind it, who must all leave.
using WaitsFor = std::unordered_map<std::uint32_t, std::vector<std::uint32_t>>;

/// The threads that hold a lock: its owner first, then readers.
std::vector<std::uint32_t> holdersOf(const LockRow& lock);
/// The threads that each waiting one waits for.
WaitsFor waitsForOf(const std::vector<LockRow>& locks);

/// The circles in it, each beginning with its lowest id, ordered by that. Of several that share threads the shortest.
std::vector<std::vector<std::uint32_t>> findLockCycles(WaitsFor waitsFor);

}  // namespace heapscape::engine
