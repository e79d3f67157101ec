// SPDX-License-Identifier: MIT
#include "runtime/thread_statics.h"

#include "runtime/module_statics.h"

namespace heapscape::engine {
namespace {

constexpr std::uint64_t kPointerBytes = 8;

}  // namespace

Result<StaticsArea> ThreadStatics::areaOf(const MethodTable& type, Address thread) const {
  return m_methodTables.runtime().contract().has("Thread", "ThreadLocalDataPtr") ? areaInThread(type, thread)
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

// An index has a kind in its highest byte. What it leads to is an object whose head offsets already count, except for
// the few statics of the runtime itself that lie in the block.
Result<Address> ThreadStatics::storageOf(std::uint32_t tlsIndex, Address thread) const {
  const ClrRuntime& runtime = m_methodTables.runtime();
  const Contract& contract = runtime.contract();
  HEAPSCAPE_TRY(const Address block, runtime.pointerAt(thread, "Thread", "ThreadLocalDataPtr"));
  if (!block || tlsIndex == 0) return Address{};
  const std::uint64_t kind = tlsIndex >> contract.constant("TLSIndex.TypeShift");
  const std::uint64_t index = tlsIndex & contract.constant("TLSIndex.OffsetMask");
  if (kind == contract.constant("TLSIndex.Direct")) return block + index;

  const auto slotOf = [&](std::string_view count, std::string_view data, std::uint64_t skipped,
                          std::uint64_t head) -> Result<Address> {
    HEAPSCAPE_TRY(const std::int32_t slots, runtime.valueAt<std::int32_t>(block, "ThreadLocalData", count));
    HEAPSCAPE_TRY(const Address start, runtime.pointerAt(block, "ThreadLocalData", data));
    if (!start || slots <= 0 || index < skipped || index - skipped >= static_cast<std::uint64_t>(slots))
      return Address{};
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
  return Address{};  // never given an index
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
    if (!area.isInitialised) return area;  // the module's block exists as soon as any of its types is used
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

}  // namespace heapscape::engine
