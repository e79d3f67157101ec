// SPDX-License-Identifier: MIT
#pragma once

#include <stop_token>

#include "base/progress.h"
#include "base/result.h"
#include "session/snapshot/snapshot.h"

namespace heapscape::engine {

/// The same dump with another dominator tree: of the objects that no root leads to. In place of the roots stand those
/// of them that nothing else refers to, and of each ring of such objects its first one. So every question about
/// dominators and retained sizes is answered for garbage: what an object retains is what would have been garbage
/// through it alone. Totals stay those of the heap. Made once and kept with the snapshot. Needs the stage Retained;
/// fails with NotEnoughMemory before anything is computed.
Outcome<Snapshot> seenFromGarbage(const Snapshot& snapshot, ProgressSink* progress, std::stop_token stop);

/// Whether a snapshot is one of these.
bool isSeenFromGarbage(const Snapshot& snapshot);

}  // namespace heapscape::engine
