// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

#include "runtime/gc/gc_state.h"
#include "session/snapshot/snapshot.h"

namespace heapscape::engine {

/// The heaps of the GC.
struct GcHeaps {
  std::uint32_t active = 0;   // with objects
  std::uint32_t created = 0;  // with those that are set aside
  DynamicAdaptation adaptation = DynamicAdaptation::None;
};

GcHeaps gcHeaps(const Snapshot& snapshot);
/// "1 heap", "4 heaps, DATAS off", "1 of 4 heaps active, DATAS on".
std::string describe(const GcHeaps& heaps);

}  // namespace heapscape::engine
