// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "session/process_memory.h"

namespace heapscape::engine {

/// All parts of one owner together.
struct OwnerTotals {
  MemoryOwner owner = MemoryOwner::Other;
  std::uint64_t bytes = 0;
  std::uint64_t inDumpBytes = 0;
};

/// In the order of MemoryOwner; only owners that have memory.
inline std::vector<OwnerTotals> totalsByOwner(const ProcessMemory& memory) {
  std::vector<OwnerTotals> totals;
  for (const MemoryPart& part : memory.parts) {
    if (totals.empty() || totals.back().owner != part.owner) totals.push_back({.owner = part.owner});
    totals.back().bytes += part.bytes;
    totals.back().inDumpBytes += part.inDumpBytes;
  }
  return totals;
}

}  // namespace heapscape::engine
