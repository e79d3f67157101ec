// SPDX-License-Identifier: MIT
#include "runtime/gc/gc_state.h"

#include <fmt/format.h>
#include <unordered_set>

#include "base/address.h"
#include "base/limits.h"
#include "runtime/gc/handles.h"

namespace heapscape::engine {

Result<GcVariables> GcVariables::of(const ClrRuntime& runtime) {
  HEAPSCAPE_TRY(const Address variables, runtime.globalPointer("GcDacVars"));
  return GcVariables(runtime, variables);
}

Result<Address> GcVariables::valueOf(std::string_view name) const {
  HEAPSCAPE_TRY(const Address address, variable(name));
  return m_runtime->memory().readPointer(address);
}

Result<Address> GcVariables::heapAt(std::uint32_t heap) const {
  HEAPSCAPE_TRY(const Address heaps, valueOf("GHeaps"));
  return m_runtime->memory().readPointer(heaps + kPointerBytes * heap);
}

Result<Address> GcVariables::memberOfHeap(std::uint32_t heap, std::string_view field) const {
  HEAPSCAPE_TRY(const Address address, heapAt(heap));
  HEAPSCAPE_TRY(const Address offsets, variable("GcHeapFieldOffsets"));
  HEAPSCAPE_TRY(const std::int32_t offset,
                m_runtime->memory().read<std::int32_t>(
                    offsets + 4 * m_runtime->contract().offset("GcHeapFieldOffsetsIndex", field)));
  if (!address || offset < 0) return failure(ErrorCode::NotFound, "The GC's heaps have no such member.");
  return address + static_cast<std::uint64_t>(offset);
}

Result<Address> GcVariables::placeOf(bool isServer, std::uint32_t heap, std::string_view name) const {
  if (isServer) return memberOfHeap(heap, name);
  HEAPSCAPE_TRY(const Address place, variable(name));
  if (!place) return failure(ErrorCode::NotFound, "This GC has no such variable.");
  return place;
}

namespace {

constexpr std::uint64_t kMaximumGenerations = 16;

/// Where the generations' members and the table of one heap lie.
struct GenerationShape {
  std::uint64_t count = 0;
  std::uint64_t sizeBytes = 0;
  std::uint64_t context = 0;
  std::uint64_t startSegment = 0;
  std::int32_t allocationStart = 0;  // -1 in a build with regions
};

class GcStateReader {
 public:
  GcStateReader(const ClrRuntime& runtime, const GcVariables& variables) : m_runtime(runtime), m_variables(variables) {}

  Result<GcState> read() {
    GcState state;
    HEAPSCAPE_TRY(state.isServer, readIsServer());
    HEAPSCAPE_TRY(m_shape, readShape());
    state.hasRegions = m_shape.allocationStart < 0;
    if (const auto counter = m_variables.variable("StructuresInvalidCnt")) {
      std::int32_t value = 0;
      state.structuresInvalid = m_runtime.memory().tryRead(*counter, value) && value != 0;
    }
    HEAPSCAPE_CHECK(state.isServer ? readServerHeaps(state) : readWorkstationHeap(state));
    state.background = readBackground(state);
    state.adaptation = readAdaptation(state);
    return state;
  }

 private:
  // A program compiled ahead of time does not tell: a server GC alone has a list of heaps.
  Result<bool> readIsServer() const {
    if (m_runtime.aot()) {
      HEAPSCAPE_TRY(const Address heaps, m_variables.variable("GHeaps"));
      return heaps ? m_runtime.memory().readPointer(heaps).value_or(Address{}) != Address{} : false;
    }
    HEAPSCAPE_TRY(const Address heapType, m_runtime.globalVariable("GcHeapType"));
    HEAPSCAPE_TRY(const std::uint32_t type, m_runtime.memory().read<std::uint32_t>(heapType));
    return type == m_runtime.contract().constant("GcHeapType.Server");
  }

  // A background collection notes the range of addresses that it goes through, and leaves the note behind.
  BackgroundCollections readBackground(const GcState& state) const {
    const auto place = m_variables.placeOf(state.isServer, 0, "BackgroundSavedHighestAddress");
    const auto highest = place ? m_runtime.memory().readPointer(*place) : place;
    const auto phaseAt = m_variables.variable("CurrentCGcState");
    const auto phase = phaseAt ? m_runtime.memory().read<std::uint32_t>(*phaseAt) : failure(ErrorCode::NotFound, {});
    if (!highest || !phase) return BackgroundCollections::Unknown;
    if (!*highest) return BackgroundCollections::Never;
    return *phase == m_runtime.contract().constant("GcBackgroundState.Idle") ? BackgroundCollections::Idle
                                                                             : BackgroundCollections::Running;
  }

  DynamicAdaptation readAdaptation(const GcState& state) const {
    if (!state.isServer || !state.hasRegions) return DynamicAdaptation::None;
    const Contract& contract = m_runtime.contract();
    const auto minor = m_variables.number<std::uint8_t>("MinorVersion");
    const bool isPublished = contract.has("GcDacVars", "DynamicAdaptationMode") && minor &&
                             *minor >= contract.constant("GcDacVars.MinorVersionOfDynamicAdaptationMode");
    const auto place = isPublished ? m_variables.variable("DynamicAdaptationMode") : failure(ErrorCode::NotFound, {});
    std::int32_t mode = 0;
    if (place && *place && m_runtime.memory().tryRead(*place, mode))
      return mode == 0 ? DynamicAdaptation::Off : DynamicAdaptation::On;
    // Nothing else leaves heaps aside.
    return state.heapsCreated > state.heaps.size() ? DynamicAdaptation::On : DynamicAdaptation::Unknown;
  }

  Result<GenerationShape> readShape() const {
    GenerationShape shape;
    HEAPSCAPE_TRY(shape.sizeBytes, m_variables.number<std::uint64_t>("GenerationSize"));
    HEAPSCAPE_TRY(shape.count, m_variables.number<std::uint64_t>("TotalGenerationCount"));
    HEAPSCAPE_TRY(const Address offsets, m_variables.variable("GenerationFieldOffsets"));
    const auto offset = [&](std::string_view field) {
      return m_runtime.memory().read<std::int32_t>(
          offsets + 4 * m_runtime.contract().offset("GenerationFieldOffsetsIndex", field));
    };
    HEAPSCAPE_TRY(const std::int32_t context, offset("AllocationContext"));
    HEAPSCAPE_TRY(const std::int32_t startSegment, offset("StartSegment"));
    HEAPSCAPE_TRY(shape.allocationStart, offset("AllocationStart"));
    if (shape.count < 3 || shape.count > kMaximumGenerations || shape.sizeBytes > 1 << 16 || context < 0 ||
        startSegment < 0) {
      return failure(ErrorCode::Damaged, "The GC's description of its generations is damaged.");
    }
    shape.context = static_cast<std::uint64_t>(context);
    shape.startSegment = static_cast<std::uint64_t>(startSegment);
    return shape;
  }

  Result<GcHeap> readHeap(Address generationTable) const {
    const AddressSpace& memory = m_runtime.memory();
    GcHeap heap;
    for (std::uint64_t i = 0; i < m_shape.count; ++i) {
      const Address generation = generationTable + i * m_shape.sizeBytes;
      GcGeneration read;
      HEAPSCAPE_TRY(read.firstSegment, memory.readPointer(generation + m_shape.startSegment));
      if (m_shape.allocationStart >= 0) {
        HEAPSCAPE_TRY(read.allocationStart,
                      memory.readPointer(generation + static_cast<std::uint64_t>(m_shape.allocationStart)));
      }
      if (i == 0) {
        const Address context = generation + m_shape.context;
        HEAPSCAPE_TRY(heap.generation0Context.pointer, m_runtime.pointerAt(context, "GCAllocContext", "Pointer"));
        HEAPSCAPE_TRY(heap.generation0Context.limit, m_runtime.pointerAt(context, "GCAllocContext", "Limit"));
      }
      heap.generations.push_back(read);
    }
    return heap;
  }

  Result<void> readWorkstationHeap(GcState& state) const {
    HEAPSCAPE_TRY(const Address table, m_variables.variable("GenerationTable"));
    HEAPSCAPE_TRY(GcHeap heap, readHeap(table));
    HEAPSCAPE_TRY(heap.allocationEnd, m_variables.valueOf("AllocAllocated"));
    HEAPSCAPE_TRY(heap.ephemeralSegment, m_variables.valueOf("EphemeralHeapSegment"));
    HEAPSCAPE_TRY(heap.finalizeQueue, m_variables.valueOf("FinalizeQueue"));
    state.heaps.push_back(std::move(heap));
    state.heapsCreated = 1;
    return {};
  }

  Result<Address> pointerOfHeap(std::uint32_t heap, std::string_view field) const {
    HEAPSCAPE_TRY(const Address place, m_variables.memberOfHeap(heap, field));
    return m_runtime.memory().readPointer(place);
  }

  Result<void> readServerHeaps(GcState& state) const {
    HEAPSCAPE_TRY(const Address countVariable, m_variables.variable("NHeaps"));
    HEAPSCAPE_TRY(const std::int32_t count, m_runtime.memory().read<std::int32_t>(countVariable));
    if (count <= 0 || static_cast<std::size_t>(count) > kLimits.heaps) {
      return failure(ErrorCode::Damaged, fmt::format("The GC claims to have {} heaps.", count));
    }
    // A triage dump has the variables, and none of the heaps that they lead to.
    const auto first = m_variables.memberOfHeap(0, "GenerationTable");
    if (!first || !readHeap(*first)) {
      state.heaps.resize(static_cast<std::size_t>(count));
      state.heapsCreated = static_cast<std::uint32_t>(count);
      return {};
    }
    std::uint32_t i = 0;
    for (; i < static_cast<std::uint32_t>(count); ++i) {
      HEAPSCAPE_TRY(const Address table, m_variables.memberOfHeap(i, "GenerationTable"));
      HEAPSCAPE_TRY(GcHeap heap, readHeap(table));
      HEAPSCAPE_TRY(heap.allocationEnd, pointerOfHeap(i, "AllocAllocated"));
      HEAPSCAPE_TRY(heap.ephemeralSegment, pointerOfHeap(i, "EphemeralHeapSegment"));
      HEAPSCAPE_TRY(heap.finalizeQueue, pointerOfHeap(i, "FinalizeQueue"));
      state.heaps.push_back(std::move(heap));
    }
    // All heaps are made at the start; what lies behind the last one in their list is no heap.
    while (i < kLimits.heaps && isHeap(i)) ++i;
    state.heapsCreated = i;
    return {};
  }

  // Each heap has a queue of finalizers, whose bounds fit each other.
  bool isHeap(std::uint32_t heap) const {
    const auto queue = pointerOfHeap(heap, "FinalizeQueue");
    const auto array = queue && *queue ? m_runtime.pointerAt(*queue, "FinalizeQueue", "Array") : queue;
    const auto end = array && *array ? m_runtime.pointerAt(*queue, "FinalizeQueue", "EndArray") : array;
    const auto filled =
        end ? m_runtime.memory().readPointer(m_runtime.member(*queue, "FinalizeQueue", "FillPointers")) : end;
    return filled && *array < *end && *array <= *filled && *filled <= *end && (*end - *array) % kPointerBytes == 0;
  }

  const ClrRuntime& m_runtime;
  GcVariables m_variables;
  GenerationShape m_shape;
};

}  // namespace

Result<GcState> readGcState(const ClrRuntime& runtime) {
  const auto variables = GcVariables::of(runtime);
  auto state = variables ? GcStateReader(runtime, *variables).read() : tl::unexpected<Error>(variables.error());
  if (state || state.error().code == ErrorCode::Damaged) return state;
  return failure(
      ErrorCode::NoHeap, "This dump does not hold the garbage collector's data.",
      "A mini or triage dump has no heap; take one with `createdump --withheap` or DOTNET_DbgMiniDumpType=2.");
}

Result<HeapSegment> readHeapSegment(const ClrRuntime& runtime, Address segment) {
  HeapSegment read;
  read.address = segment;
  HEAPSCAPE_TRY(read.allocated, runtime.pointerAt(segment, "HeapSegment", "Allocated"));
  HEAPSCAPE_TRY(read.committed, runtime.pointerAt(segment, "HeapSegment", "Committed"));
  HEAPSCAPE_TRY(read.reserved, runtime.pointerAt(segment, "HeapSegment", "Reserved"));
  HEAPSCAPE_TRY(read.memory, runtime.pointerAt(segment, "HeapSegment", "Mem"));
  HEAPSCAPE_TRY(read.next, runtime.pointerAt(segment, "HeapSegment", "Next"));
  HEAPSCAPE_TRY(const std::uint64_t flags, runtime.valueAt<std::uint64_t>(segment, "HeapSegment", "Flags"));
  read.isReadOnly = (flags & runtime.contract().constant("HeapSegment.ReadOnlyFlag")) != 0;
  return read;
}

namespace {

// A GC that grows its tables keeps the old ones in a chain until the next collection.
constexpr std::size_t kMaximumTables = 1000;

std::vector<AddressRange> readCardTables(const ClrRuntime& runtime, FindingList& findings) {
  std::vector<AddressRange> tables;
  const auto variables = runtime.globalPointer("GcDacVars");
  const auto variable = variables ? runtime.pointerAt(*variables, "GcDacVars", "BookkeepingStart") : variables;
  auto table = variable && *variable ? runtime.memory().readPointer(*variable) : variable;
  // An older GC does not say how long the head of a table is; then only the first one is found.
  const auto headBytes =
      runtime.valueAt<std::uint64_t>(variables.value_or(Address{}), "GcDacVars", "CardTableInfoSize");
  std::unordered_set<Address> seen;
  while (table && *table && seen.size() < kMaximumTables && seen.insert(*table).second) {
    const auto size = runtime.valueAt<std::uint64_t>(*table, "CardTableInfo", "Size");
    const auto next = runtime.pointerAt(*table, "CardTableInfo", "NextCardTable");
    if (!size || !next || *size > ~table->value) {
      findings.add(FindingKind::RuntimeDataDamaged, *table, "A card table of the GC cannot be read.");
      break;
    }
    tables.push_back({*table, *table + *size});
    if (!headBytes || next->value < *headBytes) break;
    table = *next - *headBytes;  // the chain goes from table to table, behind their heads
  }
  return tables;
}

}  // namespace

GcBookkeeping readGcBookkeeping(const ClrRuntime& runtime, bool hasRegions, FindingList& findings) {
  GcBookkeeping read;
  read.tables = readCardTables(runtime, findings);
  read.handleSegments = readHandleSegments(runtime, findings);
  const auto lowest = runtime.globalPointer("LowestAddress");
  const auto highest = runtime.globalPointer("HighestAddress");
  if (hasRegions && lowest && highest && *lowest < *highest) read.regions = {*lowest, *highest};
  return read;
}

}  // namespace heapscape::engine
