// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "base/finding.h"
#include "runtime/clr_runtime.h"

namespace heapscape::engine {

/// What the GC has set aside for itself. Of all ranges only the mapped part holds memory.
struct GcBookkeeping {
  std::vector<AddressRange> tables;          // card tables with brick tables, mark arrays and maps of regions
  std::vector<AddressRange> handleSegments;  // of the handle tables
  AddressRange regions;                      // all that regions are cut from; empty for a GC with segments
};

/// Reads the chain of card tables (card_table_info, src/coreclr/gc/gc.cpp) and the segments of handle tables.
GcBookkeeping readGcBookkeeping(const ClrRuntime& runtime, bool hasRegions, FindingList& findings);

}  // namespace heapscape::engine
