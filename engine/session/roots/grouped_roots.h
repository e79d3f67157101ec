// SPDX-License-Identifier: MIT
#pragma once

#include <stop_token>
#include <string>
#include <vector>

#include "base/progress.h"
#include "session/roots/held_roots.h"

namespace heapscape::engine {

/// The same roots in other groups than by owner: by these names, one for each root. What a group holds is what nothing
/// outside of it does, exactly, which takes a pass over the heap.
Outcome<HeldRoots> groupHeldRoots(const Snapshot& snapshot, const HeldRoots& held,
                                  const std::vector<std::string>& groupOf, ProgressSink* progress,
                                  std::stop_token stop);

/// The thread that a root is of, as groups are called: "thread 5 \"worker\""; empty for all others.
std::string threadOfRoot(const RootList& list, const RootRow& root);

}  // namespace heapscape::engine
