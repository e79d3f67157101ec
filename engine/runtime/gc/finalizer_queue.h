// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "base/finding.h"
#include "runtime/gc/finalizer_queue_kind.h"
#include "runtime/gc/gc_state.h"

namespace heapscape::engine {

struct FinalizableObject {
  Address object;
  FinalizerQueueKind queue = FinalizerQueueKind::Registered;
  std::uint32_t heap = 0;
};

/// The finalizer queues of all heaps (CFinalize, src/coreclr/gc/gc.cpp): ready objects first, each queue in its own
/// order. A queue that contradicts itself is a finding.
std::vector<FinalizableObject> readFinalizerQueues(const ClrRuntime& runtime, const GcState& gc, FindingList& findings);

}  // namespace heapscape::engine
