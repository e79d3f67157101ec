// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "base/finding.h"
#include "heap/segment.h"
#include "runtime/gc/gc_state.h"

namespace heapscape::engine {

/// All segments of all heaps in address order, no two overlapping; what contradicts itself is left out with a finding.
std::vector<Segment> readSegments(const ClrRuntime& runtime, const GcState& gc, FindingList& findings);

}  // namespace heapscape::engine
