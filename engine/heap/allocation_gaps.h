// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "heap/segment.h"
#include "runtime/gc/gc_state.h"
#include "runtime/threads/threads.h"

namespace heapscape::engine {

/// Places where no object lies although objects lie behind: the unwritten rest of allocation contexts, with the minimum
/// object that the GC keeps free behind each (also behind a full context). In address order.
struct AllocationGap {
  Address start;
  Address end;          // where the next object begins
  bool isFull = false;  // nothing was left in the context; the GC may already have made a free object of its slack
};

std::vector<AllocationGap> findAllocationGaps(const std::vector<RuntimeThread>& threads, const GcState& gc,
                                              std::uint64_t slackBytes);

}  // namespace heapscape::engine
