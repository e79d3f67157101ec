// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <stop_token>

#include "base/finding.h"
#include "base/progress.h"
#include "base/result.h"
#include "session/heap/object_check.h"
#include "session/layouts/layout_check.h"
#include "session/snapshot/snapshot.h"

namespace heapscape::engine {

/// What a check of the whole heap looked at and found.
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
