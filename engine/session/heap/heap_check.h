// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <unordered_map>

#include "base/finding.h"
#include "base/progress.h"
#include "base/result.h"
#include "graph/paths/root_distances.h"
#include "session/layouts/layout_check.h"
#include "session/snapshot/snapshot.h"

namespace heapscape::engine {

/// Whether something holds an object.
enum class Liveness : std::uint8_t {
  Dead,      // no root leads to it
  Doubtful,  // only words of stacks lead to it, which may be left over, and it may have been dead for long
  Alive,
};

/// Tells which objects live. A background collection neither sweeps generations 0 and 1 nor keeps intact what their
/// dead objects refer to, so an object there of which nobody knows whether it lives proves no damage. Older objects do
/// once it is done: what they refer to was marked with them. 8 bytes an object.
class ObjectLiveness {
 public:
  /// Reads the references first where the snapshot does not have them.
  static Outcome<ObjectLiveness> determine(const Snapshot& snapshot, StageProgress& progress, std::stop_token stop);

  Liveness of(ObjectId object) const {
    if (m_certain.of(object.value) != 0) return Liveness::Alive;
    return m_reached.of(object.value) != 0 ? Liveness::Doubtful : Liveness::Dead;
  }

 private:
  RootDistances m_reached;  // from all roots
  RootDistances m_certain;  // from those that are surely none left over
};

/// Leftovers in objects that a background collection found dead and that nobody has swept yet: it is normal.
struct Remains {
  std::uint64_t objects = 0;
  std::uint64_t references = 0;  // to objects that were swept
  std::uint64_t headers = 0;     // that name sync blocks which were freed, or given to others
};

struct ObjectCheck {
  std::uint64_t objects = 0;
  std::uint64_t references = 0;
  Remains ofDead;      // no root leads to these
  Remains ofDoubtful;  // only words of stacks that may be left over do
  FindingList findings;
};

/// The object of each sync block, by index.
using SyncBlockOwners = std::unordered_map<std::uint32_t, Address>;

/// Checks every object's references, and its header against the sync blocks (not if these are null). What is wrong is a
/// finding if the object lives; which do is only looked for if anything is wrong.
Outcome<ObjectCheck> checkObjects(const Snapshot& snapshot, const SyncBlockOwners* syncBlocks, ProgressSink* progress,
                                  std::stop_token stop);

/// Whether an object that is no free one starts there.
bool isObjectStart(const Snapshot& snapshot, Address address);
/// Text for a place where no object starts, in words: "free space", "the inside of the object at 0x7f…".
std::string whatIsAt(const Snapshot& snapshot, Address address);

/// Result of a check of the whole heap.
struct HeapCheck {
  std::uint64_t objects = 0;
  std::uint64_t references = 0;
  std::uint64_t handles = 0;
  std::uint64_t syncBlocks = 0;
  std::uint64_t statics = 0;
  LayoutCheck layouts;  // of the types of these objects
  // Normal after a background collection, and no findings.
  Remains ofDead;      // in objects that no root leads to
  Remains ofDoubtful;  // in objects that only words of stacks lead to, which may be left over themselves
  FindingList findings;
};

/// Checks every object's method table and size, every reference (does it lead to the start of an object?), every header
/// with a sync block against its entry, every handle and static that holds a reference, and every type's layout against
/// the runtime's rules. More than SOS's verifyheap, and without what that takes for damage in dead objects.
Outcome<HeapCheck> checkHeap(const Snapshot& snapshot, ProgressSink* progress, std::stop_token stop);

}  // namespace heapscape::engine
