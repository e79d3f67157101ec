// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/enum_names.h"
#include "base/finding.h"
#include "runtime/gc/gc_state.h"

namespace heapscape::engine {

/// Where in its queue an object with a finalizer stands.
enum class FinalizerQueueKind : std::uint8_t {
  Ready,          // found unreachable; the finalizer thread will run its finalizer
  ReadyCritical,  // the same for a CriticalFinalizerObject, which comes after the others
  Registered,     // alive as far as the GC knows
};
template <>
inline constexpr auto kEnumNames<FinalizerQueueKind> =
    std::to_array<EnumName<FinalizerQueueKind>>({{FinalizerQueueKind::Ready, "ready"},
                                                 {FinalizerQueueKind::ReadyCritical, "ready"},
                                                 {FinalizerQueueKind::Registered, "registered"}});

struct FinalizableObject {
  Address object;
  FinalizerQueueKind queue = FinalizerQueueKind::Registered;
  std::uint32_t heap = 0;
};

/// Parts of the array of one finalizer queue.
struct FinalizerQueueParts {
  AddressRange registered;                   // all of them, oldest generation first
  std::array<AddressRange, 3> ofGeneration;  // of these, gen0 to gen2
  AddressRange critical;
  AddressRange ready;
};
/// Fails with NotInDump, or Damaged if the parts contradict each other. `queue`: GcHeap::finalizeQueue.
Result<FinalizerQueueParts> readFinalizerQueueParts(const ClrRuntime& runtime, Address queue);

/// The finalizer queues of all heaps (CFinalize, src/coreclr/gc/gc.cpp): ready objects first, each queue in its own
/// order. A queue that contradicts itself is a finding.
std::vector<FinalizableObject> readFinalizerQueues(const ClrRuntime& runtime, const GcState& gc, FindingList& findings);

}  // namespace heapscape::engine
