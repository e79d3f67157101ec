// SPDX-License-Identifier: MIT
#pragma once

#include <stop_token>

#include "base/result.h"
#include "session/door/open_listener.h"
#include "session/door/snapshot.h"
#include "session/roots/roots_query.h"

namespace heapscape::engine {

struct RetainedOptions {
  RootOptions roots = {};
  bool byType = true;  // whether to add up types, too
};

/// Adds the stages References and Retained to a snapshot of stage Layouts. One that has them already gets them anew
/// for other roots; what does not depend on these is kept. `listener` may be null; its progress runs from
/// `progressFrom` to 1. Fails with NoHeap if the snapshot has no objects.
Outcome<Snapshot> addRetained(const Snapshot& snapshot, const RetainedOptions& options, OpenListener* listener,
                              std::stop_token stop, double progressFrom = 0);

}  // namespace heapscape::engine
