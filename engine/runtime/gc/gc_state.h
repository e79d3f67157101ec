// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/enum_names.h"
#include "base/finding.h"
#include "runtime/clr_runtime.h"
#include "runtime/threads/threads.h"

namespace heapscape::engine {

/// Variables that the GC publishes for debuggers (GcDacVars, src/coreclr/gc/gcinterface.dacvars.def): addresses of its
/// variables, and for a server GC offsets of members of its heaps. Workstation has variables where server has members.
class GcVariables {
 public:
  /// `variables`: of the structure itself.
  GcVariables(const ClrRuntime& runtime, Address variables) : m_runtime(&runtime), m_variables(variables) {}
  /// Fails with NotInDump or NotFound.
  static Result<GcVariables> of(const ClrRuntime& runtime);

  Address address() const { return m_variables; }
  /// Where a variable lies; 0 if this GC has none of that name.
  Result<Address> variable(std::string_view name) const { return m_runtime->pointerAt(m_variables, "GcDacVars", name); }
  /// The pointer in a variable.
  Result<Address> valueOf(std::string_view name) const;
  /// A number that the structure itself holds.
  template <class T>
  Result<T> number(std::string_view name) const {
    return m_runtime->valueAt<T>(m_variables, "GcDacVars", name);
  }

  /// Where a gc_heap of a server GC lies.
  Result<Address> heapAt(std::uint32_t heap) const;
  /// Where one of its members lies; fails with NotFound if it has none of that name.
  Result<Address> memberOfHeap(std::uint32_t heap, std::string_view field) const;
  /// Where a variable of either GC lies: those of a workstation GC belong to its only heap.
  Result<Address> placeOf(bool isServer, std::uint32_t heap, std::string_view name) const;

 private:
  const ClrRuntime* m_runtime;
  Address m_variables;
};

/// Whether a server GC changes how many of its heaps it uses as the program grows and shrinks: DATAS,
/// GCDynamicAdaptationMode. .NET 8 has it if it is asked for; since .NET 9 it is the default.
enum class DynamicAdaptation : std::uint8_t {
  None,  // this GC cannot: workstation, or classic segments
  Off,
  On,
  Unknown,  // .NET 8 and 9 do not publish it, and that all heaps are active proves nothing
};
template <>
inline constexpr auto kEnumNames<DynamicAdaptation> =
    std::to_array<EnumName<DynamicAdaptation>>({{DynamicAdaptation::None, "none"},
                                                {DynamicAdaptation::Off, "off"},
                                                {DynamicAdaptation::On, "on"},
                                                {DynamicAdaptation::Unknown, "unknown"}});

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

/// State of the GC as it publishes it for debuggers (GcDacVars, src/coreclr/gc/gcinterface.dac.h), also when
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

/// Memory that the GC has set aside for itself. Of all ranges only the mapped part holds memory.
struct GcBookkeeping {
  std::vector<AddressRange> tables;          // card tables with brick tables, mark arrays and maps of regions
  std::vector<AddressRange> handleSegments;  // of the handle tables
  AddressRange regions;                      // all that regions are cut from; empty for a GC with segments
};

/// Reads the chain of card tables (card_table_info, src/coreclr/gc/gc.cpp) and the segments of handle tables.
GcBookkeeping readGcBookkeeping(const ClrRuntime& runtime, bool hasRegions, FindingList& findings);

}  // namespace heapscape::engine
