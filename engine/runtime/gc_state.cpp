// SPDX-License-Identifier: MIT
#include "runtime/gc_state.h"

#include <fmt/format.h>

#include "base/limits.h"

namespace heapscape::engine {
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
  GcStateReader(const ClrRuntime& runtime, Address variables) : m_runtime(runtime), m_variables(variables) {}

  Result<GcState> read() {
    GcState state;
    HEAPSCAPE_TRY(const Address heapType, m_runtime.globalVariable("GcHeapType"));
    HEAPSCAPE_TRY(const std::uint32_t type, m_runtime.memory().read<std::uint32_t>(heapType));
    state.isServer = type == m_runtime.contract().constant("GcHeapType.Server");
    HEAPSCAPE_TRY(m_shape, readShape());
    state.hasRegions = m_shape.allocationStart < 0;
    if (const auto counter = variable("StructuresInvalidCnt")) {
      std::int32_t value = 0;
      state.structuresInvalid = m_runtime.memory().tryRead(*counter, value) && value != 0;
    }
    HEAPSCAPE_CHECK(state.isServer ? readServerHeaps(state) : readWorkstationHeap(state));
    return state;
  }

 private:
  // GcDacVars holds pointers to the GC's variables.
  Result<Address> variable(std::string_view name) const { return m_runtime.pointerAt(m_variables, "GcDacVars", name); }
  Result<Address> valueOf(std::string_view name) const {
    HEAPSCAPE_TRY(const Address address, variable(name));
    return m_runtime.memory().readPointer(address);
  }

  Result<GenerationShape> readShape() const {
    GenerationShape shape;
    HEAPSCAPE_TRY(shape.sizeBytes, m_runtime.valueAt<std::uint64_t>(m_variables, "GcDacVars", "GenerationSize"));
    HEAPSCAPE_TRY(shape.count, m_runtime.valueAt<std::uint64_t>(m_variables, "GcDacVars", "TotalGenerationCount"));
    HEAPSCAPE_TRY(const Address offsets, variable("GenerationFieldOffsets"));
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

  Result<bool> readWorkstationHeap(GcState& state) const {
    HEAPSCAPE_TRY(const Address table, variable("GenerationTable"));
    HEAPSCAPE_TRY(GcHeap heap, readHeap(table));
    HEAPSCAPE_TRY(heap.allocationEnd, valueOf("AllocAllocated"));
    HEAPSCAPE_TRY(heap.ephemeralSegment, valueOf("EphemeralHeapSegment"));
    HEAPSCAPE_TRY(heap.finalizeQueue, valueOf("FinalizeQueue"));
    state.heaps.push_back(std::move(heap));
    return true;
  }

  // A server GC's heaps are objects; the offsets of their members are published as an array.
  Result<bool> readServerHeaps(GcState& state) const {
    const AddressSpace& memory = m_runtime.memory();
    HEAPSCAPE_TRY(const Address countVariable, variable("NHeaps"));
    HEAPSCAPE_TRY(const std::int32_t count, memory.read<std::int32_t>(countVariable));
    HEAPSCAPE_TRY(const Address heaps, valueOf("GHeaps"));
    HEAPSCAPE_TRY(const Address offsets, variable("GcHeapFieldOffsets"));
    if (count <= 0 || static_cast<std::size_t>(count) > kLimits.heaps) {
      return failure(ErrorCode::Damaged, fmt::format("The GC claims to have {} heaps.", count));
    }
    for (std::int32_t i = 0; i < count; ++i) {
      HEAPSCAPE_TRY(const Address address, memory.readPointer(heaps + 8ull * static_cast<std::uint64_t>(i)));
      const auto member = [&](std::string_view field) -> Result<Address> {
        HEAPSCAPE_TRY(
            const std::int32_t offset,
            memory.read<std::int32_t>(offsets + 4 * m_runtime.contract().offset("GcHeapFieldOffsetsIndex", field)));
        return address + static_cast<std::uint64_t>(offset);
      };
      const auto pointer = [&](std::string_view field) -> Result<Address> {
        HEAPSCAPE_TRY(const Address place, member(field));
        return memory.readPointer(place);
      };
      HEAPSCAPE_TRY(const Address table, member("GenerationTable"));
      HEAPSCAPE_TRY(GcHeap heap, readHeap(table));
      HEAPSCAPE_TRY(heap.allocationEnd, pointer("AllocAllocated"));
      HEAPSCAPE_TRY(heap.ephemeralSegment, pointer("EphemeralHeapSegment"));
      HEAPSCAPE_TRY(heap.finalizeQueue, pointer("FinalizeQueue"));
      state.heaps.push_back(std::move(heap));
    }
    return true;
  }

  const ClrRuntime& m_runtime;
  Address m_variables;
  GenerationShape m_shape;
};

}  // namespace

Result<GcState> readGcState(const ClrRuntime& runtime) {
  const auto variables = runtime.globalPointer("GcDacVars");
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

}  // namespace heapscape::engine
