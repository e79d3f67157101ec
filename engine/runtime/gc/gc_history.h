// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "runtime/gc/gc_state.h"

namespace heapscape::engine {

/// The last allocation that a heap could not satisfy (oom_history, src/coreclr/gc/gcinterface.dac.h).
struct OutOfMemoryRecord {
  std::uint32_t heap = 0;
  std::int32_t reason = 0;            // oom_reason
  std::int32_t getMemoryFailure = 0;  // failure_get_memory; 0 for none
  std::uint64_t allocationBytes = 0;  // that were asked for, 0 if none were
  std::uint64_t gcIndex = 0;          // number of the collection that it happened after
  std::uint64_t failedBytes = 0;      // that could not be reserved or committed
  std::uint64_t availablePagefileMb = 0;
  bool isLarge = false;  // in the large or pinned object heap
};
/// "cantCommit", "largeObjects" …; "unknown" for a number that no runtime had.
const char* outOfMemoryReason(std::int32_t reason);
const char* getMemoryFailure(std::int32_t failure);

/// Free regions that wait for use: of basic, large and huge size.
struct FreeRegions {
  std::string list;           // "heap 0", "global"
  std::string kind;           // "basic", "large", "huge"
  bool isForRelease = false;  // to be decommitted, rather than for use
  std::uint64_t regions = 0;
  std::uint64_t bytes = 0;
  std::uint64_t committedBytes = 0;
};

/// How often each reason or mechanism was met in blocking collections of a heap.
struct GcMechanismCount {
  std::uint32_t heap = 0;
  std::string kind;  // "compaction", "expansion", "mechanism", or "collections" for the whole process
  std::string name;  // "high fragmentation"
  std::uint64_t count = 0;
};

/// Notes of the GC on its past, where it publishes them.
struct GcHistory {
  std::vector<OutOfMemoryRecord> outOfMemory;  // heaps that never failed are left out
  std::vector<FreeRegions> freeRegions;        // empty lists left out
  std::vector<GcMechanismCount> mechanisms;    // counts of 0 left out
  bool hasMechanisms = false;                  // false if this GC does not count them: a stand-alone one
  bool hasFreeRegions = false;                 // false for classic segments
  std::uint64_t internalRoots = 0;  // of the GC's own analysis of the heap, where a profiler or debugger asked for one
  std::uint64_t bookkeepingElements = 0;  // kinds of tables beside the heap
};

GcHistory readGcHistory(const ClrRuntime& runtime, const GcState& state);

}  // namespace heapscape::engine
