// SPDX-License-Identifier: MIT
#include "runtime/statics/module_statics.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "base/address.h"
#include "runtime/modules/loader_allocators.h"
#include "runtime/object_fields.h"

namespace heapscape::engine {
namespace {

constexpr std::string_view kSlotsField = "m_slots";  // of System.Reflection.LoaderAllocator
// An ordinary entry begins with a pointer and goes on with the data, which is what offsets count on.
constexpr std::uint64_t kEntryDataOffset = 8;

}  // namespace

// MethodTable::GetClassIndex and GetGenericsStaticsInfo, src/coreclr/vm/methodtable.cpp.
Result<std::optional<std::uint32_t>> ModuleStatics::entryIdOf(const MethodTable& type) const {
  const ClrRuntime& runtime = m_methodTables.runtime();
  const Contract& contract = runtime.contract();
  // Where others have these flags, strings and arrays have their component size.
  if (type.hasComponentSize) return std::optional<std::uint32_t>();
  if (type.flags & contract.constant("MTFlags.Statics.Generics")) {
    HEAPSCAPE_TRY(const std::uint16_t flags2, runtime.valueAt<std::uint16_t>(type.address, "MethodTable", "Flags2"));
    HEAPSCAPE_TRY(const std::uint16_t virtuals,
                  runtime.valueAt<std::uint16_t>(type.address, "MethodTable", "NumVirtuals"));
    // Optional members lie behind the vtable's chunks of eight; the first two have a place in the method table itself.
    const std::uint64_t chunks = (virtuals + 7u) / 8u;
    const int members = std::popcount(flags2 & contract.constant("WFlags2.MultipurposeMask"));
    const auto behind = static_cast<std::uint64_t>(std::max(0, members - 2));
    const Address info = type.address + contract.sizeOf("MethodTable") + kPointerBytes * (chunks + behind);
    HEAPSCAPE_TRY(const std::uint32_t id, runtime.valueAt<std::uint32_t>(info, "GenericsStaticsInfo", "DynamicTypeID"));
    return std::optional(id);
  }
  if (type.flags & contract.constant("MTFlags.Statics.Dynamic")) {
    HEAPSCAPE_TRY(const Address optional, runtime.pointerAt(type.eeClass, "EEClass", "OptionalFields"));
    HEAPSCAPE_TRY(const std::uint32_t id,
                  runtime.valueAt<std::uint32_t>(optional, "EEClassOptionalFields", "ModuleDynamicID"));
    return std::optional(id);
  }
  return std::optional<std::uint32_t>();
}

Result<ModuleStatics::Entry> ModuleStatics::entry(std::uint32_t id) const {
  const ClrRuntime& runtime = m_methodTables.runtime();
  const Contract& contract = runtime.contract();
  HEAPSCAPE_TRY(const std::uint64_t count, runtime.valueAt<std::uint64_t>(m_statics, m_structure, "DynamicEntries"));
  if (id >= count) return Entry{};
  HEAPSCAPE_TRY(const Address table, runtime.pointerAt(m_statics, m_structure, "DynamicClassTable"));
  const Address info = table + id * contract.sizeOf("DynamicClassInfo");
  Entry entry;
  HEAPSCAPE_TRY(entry.address, runtime.pointerAt(info, "DynamicClassInfo", "Entry"));
  HEAPSCAPE_TRY(const std::uint32_t flags, runtime.valueAt<std::uint32_t>(info, "DynamicClassInfo", "Flags"));
  entry.isInitialised = (flags & contract.constant("ClassInitFlags.Initialized")) != 0;
  return entry;
}

Result<bool> ModuleStatics::isInitialised(const MethodTable& type) const {
  const ClrRuntime& runtime = m_methodTables.runtime();
  HEAPSCAPE_TRY(const std::uint32_t row, m_methodTables.typeDefRow(type));
  if (row == 0) return failure(ErrorCode::Damaged, "A type with static fields has no token.");
  HEAPSCAPE_TRY(const std::uint8_t flags,
                runtime.memory().read<std::uint8_t>(runtime.member(m_statics, m_structure, "ClassFlags") + (row - 1)));
  return (flags & runtime.contract().constant("ClassInitFlags.Initialized")) != 0;
}

Result<StaticsArea> ModuleStatics::collectibleArea(const Entry& entry, const MethodTable& type) const {
  const ClrRuntime& runtime = m_methodTables.runtime();
  const std::uint64_t arrayHead = runtime.contract().sizeOf("Array");
  HEAPSCAPE_TRY(const std::uint64_t gcHandle, runtime.memory().read<std::uint64_t>(entry.address));
  HEAPSCAPE_TRY(const std::uint64_t nonGcHandle, runtime.memory().read<std::uint64_t>(entry.address + kPointerBytes));
  StaticsArea area;
  if (gcHandle) {
    HEAPSCAPE_TRY(const Address array, targetOfLoaderHandle(gcHandle, type));
    if (array) area.references = array + arrayHead;
  }
  if (nonGcHandle) {
    HEAPSCAPE_TRY(const Address array, targetOfLoaderHandle(nonGcHandle, type));
    if (array) area.others = array + arrayHead - kEntryDataOffset;
  }
  return area;
}

// LoaderAllocator::GetHandleValueFast, src/coreclr/vm/loaderallocator.inl: with bit 0 set a pointer to the reference,
// else an index into an array that the managed LoaderAllocator holds.
Result<Address> ModuleStatics::targetOfLoaderHandle(std::uint64_t handle, const MethodTable& type) const {
  const ClrRuntime& runtime = m_methodTables.runtime();
  if (handle & 1) return runtime.memory().readPointer(Address{handle - 1});
  HEAPSCAPE_TRY(const Address allocator, loaderAllocatorObject(m_methodTables, type));
  HEAPSCAPE_TRY(const Address slots, readReferenceField(m_methodTables, m_fields, allocator, kSlotsField));
  HEAPSCAPE_TRY(const std::uint32_t count, runtime.valueAt<std::uint32_t>(slots, "Array", "m_NumComponents"));
  const std::uint64_t number = handle >> 1;  // from 1
  if (number == 0 || number > count)
    return failure(ErrorCode::Damaged, fmt::format("A loader allocator has no slot {}.", number));
  return runtime.memory().readPointer(slots + runtime.contract().sizeOf("Array") + kPointerBytes * (number - 1));
}

}  // namespace heapscape::engine
