// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <stop_token>
#include <string>
#include <unordered_map>

#include "base/finding.h"
#include "base/progress.h"
#include "base/result.h"
#include "session/snapshot/snapshot.h"

namespace heapscape::engine {

/// What is left over in objects that a background collection found dead and that nobody has swept yet: it is normal.
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
/// What there is where no object starts, in words: "free space", "the inside of the object at 0x7f…".
std::string whatIsAt(const Snapshot& snapshot, Address address);

}  // namespace heapscape::engine
