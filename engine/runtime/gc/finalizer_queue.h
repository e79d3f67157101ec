// SPDX-License-Identifier: MIT
#pragma once

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

/// The finalizer queues of all heaps (CFinalize, src/coreclr/gc/gc.cpp): ready objects first, each queue in its own
/// order. A queue that contradicts itself is a finding.
std::vector<FinalizableObject> readFinalizerQueues(const ClrRuntime& runtime, const GcState& gc, FindingList& findings);

}  // namespace heapscape::engine
