// SPDX-License-Identifier: MIT
#include "runtime/methods/method_slots.h"

#include "base/address.h"
#include "runtime/types/ee_class.h"

namespace heapscape::engine {
namespace {

constexpr std::uint32_t kSlotsPerChunk = 8;

}  // namespace

Result<MethodSlots::Counts> MethodSlots::countsOf(const MethodTable& type) const {
  const ClrRuntime& runtime = m_methodTables.runtime();
  HEAPSCAPE_TRY(const std::uint16_t virtuals,
                runtime.valueAt<std::uint16_t>(type.address, "MethodTable", "NumVirtuals"));
  HEAPSCAPE_TRY(const EEClassCounts counts, readEEClassCounts(runtime, type));
  return Counts{virtuals, virtuals + counts.nonVirtualSlots};
}

Result<std::vector<Address>> MethodSlots::vtableChunks(const MethodTable& type) const {
  const ClrRuntime& runtime = m_methodTables.runtime();
  const std::uint64_t first = runtime.contract().sizeOf("MethodTable");
  HEAPSCAPE_TRY(const std::uint64_t end, m_methodTables.sizeWithVtableChunks(type.address));
  std::vector<Address> chunks;
  for (std::uint64_t offset = first; offset < end; offset += kPointerBytes) {
    HEAPSCAPE_TRY(const Address chunk, runtime.memory().readPointer(type.address + offset));
    chunks.push_back(chunk);
  }
  return chunks;
}

Result<Address> MethodSlots::entryInSlot(Address methodTable, std::uint32_t slot) const {
  const ClrRuntime& runtime = m_methodTables.runtime();
  HEAPSCAPE_TRY(const std::uint16_t virtuals,
                runtime.valueAt<std::uint16_t>(methodTable, "MethodTable", "NumVirtuals"));
  Address place;
  if (slot < virtuals) {
    const std::uint64_t chunkOffset =
        runtime.contract().sizeOf("MethodTable") + kPointerBytes * (slot / kSlotsPerChunk);
    HEAPSCAPE_TRY(const Address chunk, runtime.memory().readPointer(methodTable + chunkOffset));
    place = chunk + kPointerBytes * (slot % kSlotsPerChunk);
  } else {
    HEAPSCAPE_TRY(place, nonVirtualSlot(methodTable, slot - virtuals));
  }
  return runtime.memory().readPointer(place);
}

// Slots behind the virtual ones: since .NET 9 they lie before the auxiliary data, the first one last; .NET 8 has a
// pointer to them, or the only one itself, among the optional members.
Result<Address> MethodSlots::nonVirtualSlot(Address methodTable, std::uint32_t number) const {
  const ClrRuntime& runtime = m_methodTables.runtime();
  const Contract& contract = runtime.contract();
  HEAPSCAPE_TRY(const MethodTable type, m_methodTables.read(methodTable));
  HEAPSCAPE_TRY(const EEClassCounts counts, readEEClassCounts(runtime, type));
  if (number >= counts.nonVirtualSlots) return failure(ErrorCode::NotFound, "The method table has no such slot.");
  if (contract.has("MethodTableAuxiliaryData", "OffsetToNonVirtualSlots")) {
    HEAPSCAPE_TRY(const Address auxiliary, runtime.pointerAt(methodTable, "MethodTable", "AuxiliaryData"));
    HEAPSCAPE_TRY(const std::int16_t offset,
                  runtime.valueAt<std::int16_t>(auxiliary, "MethodTableAuxiliaryData", "OffsetToNonVirtualSlots"));
    return auxiliary + static_cast<std::uint64_t>(std::int64_t{offset}) - kPointerBytes * (number + 1u);
  }
  HEAPSCAPE_TRY(const std::uint16_t flags2, runtime.valueAt<std::uint16_t>(methodTable, "MethodTable", "Flags2"));
  const std::uint64_t flag = contract.constant("WFlags2.HasNonVirtualSlots");
  if ((flags2 & flag) == 0) return failure(ErrorCode::NotFound, "The method table has no slots that are not virtual.");
  HEAPSCAPE_TRY(const Address slot, m_methodTables.multipurposeSlot(methodTable, flag));
  if (flags2 & contract.constant("WFlags2.HasSingleNonVirtualSlot")) return slot;
  HEAPSCAPE_TRY(const Address slots, runtime.memory().readPointer(slot));
  return slots + kPointerBytes * number;
}

Result<Address> MethodSlots::entryPoint(const MethodDesc& method) const {
  if (method.entryPointSlot) return m_methodTables.runtime().memory().readPointer(method.entryPointSlot);
  return entryInSlot(method.methodTable, method.slot);
}

// MethodDesc::GetNativeCode (src/coreclr/vm/method.cpp).
Result<Address> MethodSlots::nativeCode(const MethodDesc& method) const {
  if (method.nativeCodeSlot) return m_methodTables.runtime().memory().readPointer(method.nativeCodeSlot);
  return method.hasFixedCode ? entryPoint(method) : Result<Address>(Address{});
}

}  // namespace heapscape::engine
