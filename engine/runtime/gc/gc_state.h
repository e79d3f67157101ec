// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/clr_runtime.h"
#include "runtime/gc/dynamic_adaptation.h"
#include "runtime/threads/threads.h"

namespace heapscape::engine {

/// One generation of one GC heap, as the GC keeps it.
struct GcGeneration {
  Address firstSegment;
  Address allocationStart;  // classic segments only: where the generation begins in the ephemeral segment
};

/// One gc_heap: the only one of a workstation GC, or one of a server GC's.
struct GcHeap {
  std::vector<GcGeneration> generations;  // 0, 1, 2, large, pinned
  Address allocationEnd;                  // alloc_allocated: the end of objects in the ephemeral segment or region
  Address ephemeralSegment;
  Address finalizeQueue;
  AllocationContext generation0Context;
};

/// How far background collections have come. What they leave behind in the younger generations is normal.
enum class BackgroundCollections : std::uint8_t {
  Never,    // there was none yet
  Idle,     // the last one is done
  Running,  // one is marking or sweeping
  Unknown,
};

/// What the GC publishes about itself for debuggers (GcDacVars, src/coreclr/gc/gcinterface.dac.h), also when
/// libclrgc.so is the GC.
struct GcState {
  bool isServer = false;
  bool hasRegions = false;
  bool structuresInvalid = false;  // a collection was moving or sweeping objects
  BackgroundCollections background = BackgroundCollections::Unknown;
  DynamicAdaptation adaptation = DynamicAdaptation::None;
  std::uint32_t heapsCreated = 0;  // active ones, and those that DATAS leaves aside, which hold no objects
  std::vector<GcHeap> heaps;       // the active ones
};

/// One heap_segment: a region or a classic segment.
struct HeapSegment {
  Address address;
  Address allocated;
  Address committed;
  Address reserved;
  Address memory;  // where objects begin
  Address next;
  bool isReadOnly = false;  // frozen
};

/// Fails with NoHeap if the GC's variables are not in the dump, or Damaged.
Result<GcState> readGcState(const ClrRuntime& runtime);
Result<HeapSegment> readHeapSegment(const ClrRuntime& runtime, Address segment);

}  // namespace heapscape::engine
