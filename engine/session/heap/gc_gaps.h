// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <stop_token>
#include <string>
#include <unordered_set>
#include <vector>

#include "base/result.h"
#include "session/snapshot/snapshot.h"

namespace heapscape::engine {

/// Objects of one type that stand behind gaps and keep each from growing into the next.
struct GapNeighbour {
  std::string typeName;
  Address methodTable;
  std::uint64_t gaps = 0;         // that an object of the type ends
  std::uint64_t gapBytes = 0;     // in them
  std::uint64_t objectBytes = 0;  // of the objects that stand there
  std::uint64_t pinned = 0;       // of these objects
  Address example;                // behind the largest of the gaps
};

/// Free space between the objects of one generation of one heap.
struct GenerationGaps {
  Generation generation = Generation::Gen0;
  std::uint32_t heap = 0;
  std::uint64_t bytes = 0;  // objects and gaps
  std::uint64_t freeBytes = 0;
  std::uint64_t gaps = 0;
  std::uint64_t largestGapBytes = 0;
  std::vector<GapNeighbour> neighbours;  // most free bytes first
};

/// Gaps of all sizes, by heap and generation. A gap at the end of a segment has no neighbour. Needs the stage Objects.
Outcome<std::vector<GenerationGaps>> findGaps(const Snapshot& snapshot, const std::unordered_set<Address>& pinned,
                                              std::stop_token stop);

}  // namespace heapscape::engine
