// SPDX-License-Identifier: MIT
#include "runtime/statics/static_fields.h"

#include <fmt/format.h>
#include <algorithm>
#include <bit>

#include "base/address.h"
#include "runtime/aot/aot_program.h"
#include "runtime/managed_objects.h"
#include "runtime/modules/loader_allocators.h"

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

Result<StaticsArea> StaticFields::areaOf(const MethodTable& type) const {
  if (const AotProgram* aot = m_methodTables.runtime().aot()) {
    const AotToldTypes* told = aot->debugFile.types();
    const AotStaticsArea area = told ? told->staticsOf(type.address) : AotStaticsArea{};
    return StaticsArea{.references = area.object, .others = area.others, .isInitialised = area.object || area.others};
  }
  return m_methodTables.runtime().contract().has("Module", "DomainLocalModule") ? areaInModule(type)
                                                                                : areaBesideMethodTable(type);
}

// Since .NET 9 a DynamicStaticsInfo lies right before the auxiliary data of a type that has statics
// (src/coreclr/vm/methodtable.h). The lowest bit of its pointers says that the constructor has not run.
Result<StaticsArea> StaticFields::areaBesideMethodTable(const MethodTable& type) const {
  const ClrRuntime& runtime = m_methodTables.runtime();
  const Contract& contract = runtime.contract();
  HEAPSCAPE_TRY(const std::uint32_t flags2, runtime.valueAt<std::uint32_t>(type.address, "MethodTable", "Flags2"));
  if ((flags2 & contract.constant("MTFlags2.DynamicStatics")) == 0) return StaticsArea{};
  HEAPSCAPE_TRY(const Address auxiliary, runtime.pointerAt(type.address, "MethodTable", "AuxiliaryData"));
  const Address info = auxiliary - contract.sizeOf("DynamicStaticsInfo");
  HEAPSCAPE_TRY(const Address gc, runtime.pointerAt(info, "DynamicStaticsInfo", "GCStatics"));
  HEAPSCAPE_TRY(const Address nonGc, runtime.pointerAt(info, "DynamicStaticsInfo", "NonGCStatics"));
  const std::uint64_t mask = contract.constant("StaticsPointerMask");
  return StaticsArea{.references = {gc.value & mask},
                     .others = {nonGc.value & mask},
                     .isInitialised = ((gc.value | nonGc.value) & ~mask) == 0};
}

// .NET 8 keeps them by loader module (DomainLocalModule, src/coreclr/vm/appdomain.hpp): the area that all ordinary
// types of the module share, or an entry of the type's own.
Result<StaticsArea> StaticFields::areaInModule(const MethodTable& type) const {
  const ClrRuntime& runtime = m_methodTables.runtime();
  HEAPSCAPE_TRY(const Address loaderModule, m_methodTables.loaderModule(type));
  HEAPSCAPE_TRY(const Address statics, runtime.pointerAt(loaderModule, "Module", "DomainLocalModule"));
  if (!statics) return StaticsArea{};
  const ModuleStatics holder(m_methodTables, m_fields, "DomainLocalModule", statics);
  HEAPSCAPE_TRY(const auto entryId, holder.entryIdOf(type));
  StaticsArea area;
  if (!entryId) {
    area.others = statics;
    HEAPSCAPE_TRY(area.references, runtime.pointerAt(statics, "DomainLocalModule", "GCStatics"));
    HEAPSCAPE_TRY(area.isInitialised, holder.isInitialised(type));
    return area;
  }
  HEAPSCAPE_TRY(const ModuleStatics::Entry entry, holder.entry(*entryId));
  if (!entry.address) return area;
  if (type.isCollectible) {
    HEAPSCAPE_TRY(area, holder.collectibleArea(entry, type));
  } else {
    area.others = entry.address;
    HEAPSCAPE_TRY(area.references, runtime.memory().readPointer(entry.address));
  }
  area.isInitialised = entry.isInitialised;
  return area;
}

Result<Address> StaticFields::addressOfRva(const FieldDesc& field, const MethodTable& type) const {
  const Module* module = m_modules.definingModule(m_methodTables, type);
  if (!module) return failure(ErrorCode::NotFound, "The module of the field's type is not known.");
  return m_modules.addressOfRva(*module, field.offset);
}

namespace {

constexpr std::uint32_t kNoTlsIndex = 0xffffffff;  // of a type that has no thread statics of the kind
constexpr std::size_t kMaximumInFlight = 10'000;

}  // namespace

Result<StaticsArea> ThreadStatics::areaOf(const MethodTable& type, Address thread) const {
  const ClrRuntime& runtime = m_methodTables.runtime();
  if (const AotProgram* aot = runtime.aot()) {
    const AotToldTypes* told = aot->debugFile.types();
    const auto place = told ? told->threadPlaceOf(type.address) : std::nullopt;
    const Address object = place ? threadStaticsAt(runtime, thread, *place) : Address{};
    return StaticsArea{.references = object, .others = object, .isInitialised = object != Address{}};
  }
  return runtime.contract().has("Thread", "ThreadLocalDataPtr") ? areaInThread(type, thread)
                                                                : areaInModule(type, thread);
}

// Since .NET 9 a ThreadStaticsInfo lies before the auxiliary data; it holds an index into each thread's block for each
// of the two areas (src/coreclr/vm/threadstatics.h).
Result<StaticsArea> ThreadStatics::areaInThread(const MethodTable& type, Address thread) const {
  const ClrRuntime& runtime = m_methodTables.runtime();
  HEAPSCAPE_TRY(const Address auxiliary, runtime.pointerAt(type.address, "MethodTable", "AuxiliaryData"));
  const Address info = auxiliary - runtime.contract().sizeOf("ThreadStaticsInfo");
  HEAPSCAPE_TRY(const std::uint32_t gc, runtime.valueAt<std::uint32_t>(info, "ThreadStaticsInfo", "GCTlsIndex"));
  HEAPSCAPE_TRY(const std::uint32_t nonGc, runtime.valueAt<std::uint32_t>(info, "ThreadStaticsInfo", "NonGCTlsIndex"));
  StaticsArea area;
  HEAPSCAPE_TRY(area.references, storageOf(gc, thread));
  HEAPSCAPE_TRY(area.others, storageOf(nonGc, thread));
  area.isInitialised = area.references || area.others;
  return area;
}

Result<Address> ThreadStatics::storageOf(std::uint32_t tlsIndex, Address thread) const {
  const ClrRuntime& runtime = m_methodTables.runtime();
  HEAPSCAPE_TRY(const Address block, runtime.pointerAt(thread, "Thread", "ThreadLocalDataPtr"));
  if (!block || tlsIndex == 0 || tlsIndex == kNoTlsIndex) return Address{};
  HEAPSCAPE_TRY(const Address storage, storageInBlock(tlsIndex, block));
  return storage ? storage : storageInFlight(tlsIndex, block);
}

// An index has a kind in its highest byte. What it leads to is an object whose head offsets already count, except for
// the few statics of the runtime itself that lie in the block.
Result<Address> ThreadStatics::storageInBlock(std::uint32_t tlsIndex, Address block) const {
  const ClrRuntime& runtime = m_methodTables.runtime();
  const Contract& contract = runtime.contract();
  const std::uint64_t kind = tlsIndex >> contract.constant("TLSIndex.TypeShift");
  const std::uint64_t index = tlsIndex & contract.constant("TLSIndex.OffsetMask");
  if (kind == contract.constant("TLSIndex.Direct")) return block + index;

  const auto slotOf = [&](std::string_view count, std::string_view data, std::uint64_t skipped,
                          std::uint64_t head) -> Result<Address> {
    HEAPSCAPE_TRY(const std::int32_t slots, runtime.valueAt<std::int32_t>(block, "ThreadLocalData", count));
    HEAPSCAPE_TRY(const Address start, runtime.pointerAt(block, "ThreadLocalData", data));
    // The count is that of indices, the skipped ones too.
    if (!start || slots <= 0 || index < skipped || index >= static_cast<std::uint64_t>(slots)) return Address{};
    return runtime.memory().readPointer(start + head + kPointerBytes * (index - skipped));
  };
  if (kind == contract.constant("TLSIndex.NonCollectible")) {
    return slotOf("NonCollectibleTlsDataCount", "NonCollectibleTlsArrayData",
                  contract.constant("TLSIndex.NonCollectibleSkip"), contract.sizeOf("Array"));
  }
  if (kind == contract.constant("TLSIndex.Collectible")) {
    HEAPSCAPE_TRY(const Address handle, slotOf("CollectibleTlsDataCount", "CollectibleTlsArrayData", 0, 0));
    return handle ? runtime.memory().readPointer(handle) : Result<Address>(Address{});
  }
  return Address{};
}

// What a thread has allocated while its table could not be enlarged stays in a list of its own.
Result<Address> ThreadStatics::storageInFlight(std::uint32_t tlsIndex, Address block) const {
  const ClrRuntime& runtime = m_methodTables.runtime();
  HEAPSCAPE_TRY(Address item, runtime.pointerAt(block, "ThreadLocalData", "InFlightData"));
  for (std::size_t items = 0; item && items < kMaximumInFlight; ++items) {
    HEAPSCAPE_TRY(const std::uint32_t index, runtime.valueAt<std::uint32_t>(item, "InFlightTLSData", "TlsIndex"));
    if (index == tlsIndex) {
      HEAPSCAPE_TRY(const Address handle, runtime.pointerAt(item, "InFlightTLSData", "TLSData"));
      return handle ? runtime.memory().readPointer(handle) : Result<Address>(Address{});
    }
    HEAPSCAPE_TRY(item, runtime.pointerAt(item, "InFlightTLSData", "Next"));
  }
  return Address{};
}

// .NET 8: a table of ThreadLocalModules by the loader module's number.
Result<StaticsArea> ThreadStatics::areaInModule(const MethodTable& type, Address thread) const {
  const ClrRuntime& runtime = m_methodTables.runtime();
  HEAPSCAPE_TRY(const Address loaderModule, m_methodTables.loaderModule(type));
  HEAPSCAPE_TRY(const std::uint32_t index, runtime.valueAt<std::uint32_t>(loaderModule, "Module", "ModuleIndex"));
  HEAPSCAPE_TRY(const std::uint64_t size,
                runtime.valueAt<std::uint64_t>(thread, "Thread", "ThreadLocalModuleTableSize"));
  HEAPSCAPE_TRY(const Address table, runtime.pointerAt(thread, "Thread", "ThreadLocalModuleTable"));
  StaticsArea area;
  if (!table || index >= size) return area;
  HEAPSCAPE_TRY(const Address statics, runtime.memory().readPointer(table + kPointerBytes * index));
  if (!statics) return area;

  const ModuleStatics holder(m_methodTables, m_fields, "ThreadLocalModule", statics);
  HEAPSCAPE_TRY(const auto entryId, holder.entryIdOf(type));
  if (!entryId) {
    HEAPSCAPE_TRY(area.isInitialised, holder.isInitialised(type));
    area.others = statics;
    HEAPSCAPE_TRY(const Address handle, runtime.pointerAt(statics, "ThreadLocalModule", "GCStaticsHandle"));
    HEAPSCAPE_TRY(area.references, arrayBehindHandle(handle));
    return area;
  }
  HEAPSCAPE_TRY(const ModuleStatics::Entry entry, holder.entry(*entryId));
  if (!entry.address) return area;
  if (type.isCollectible) {
    HEAPSCAPE_TRY(area, holder.collectibleArea(entry, type));
  } else {
    area.others = entry.address;
    HEAPSCAPE_TRY(const Address handle, runtime.memory().readPointer(entry.address));
    HEAPSCAPE_TRY(area.references, arrayBehindHandle(handle));
  }
  area.isInitialised = entry.isInitialised;
  return area;
}

// The elements of the object array that a handle refers to; null if there is no handle.
Result<Address> ThreadStatics::arrayBehindHandle(Address handle) const {
  if (!handle) return Address{};
  const ClrRuntime& runtime = m_methodTables.runtime();
  HEAPSCAPE_TRY(const Address array, runtime.memory().readPointer(handle));
  return array ? array + runtime.contract().sizeOf("Array") : Address{};
}

std::vector<StaticsHolder> StaticFields::unnamedHolders(FindingList& findings) const {
  const ClrRuntime& runtime = m_methodTables.runtime();
  if (!runtime.aot()) return {};
  std::vector<StaticsHolder> holders = readAotStatics(runtime, findings);
  if (const AotToldTypes* told = runtime.aot()->debugFile.types()) {
    for (StaticsHolder& holder : holders) {
      holder.hasFields = !told->areStaticsNamed(holder.cell);
      const auto owner = told->staticsOwner(holder.cell);
      if (owner) holder.parts = {{0, UINT32_MAX, owner->type, owner->typeName, owner->areNamed}};
    }
  }
  return holders;
}

std::vector<StaticsHolder> ThreadStatics::unnamedHolders(Address thread) const {
  const ClrRuntime& runtime = m_methodTables.runtime();
  return runtime.aot() ? readAotThreadStatics(runtime, thread) : std::vector<StaticsHolder>{};
}

}  // namespace heapscape::engine
