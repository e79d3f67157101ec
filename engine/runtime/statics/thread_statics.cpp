// SPDX-License-Identifier: MIT
#include "runtime/statics/thread_statics.h"

#include "base/address.h"
#include "runtime/statics/module_statics.h"

namespace heapscape::engine {
namespace {

constexpr std::uint32_t kNoTlsIndex = 0xffffffff;  // of a type that has no thread statics of the kind
constexpr std::size_t kMaximumInFlight = 10'000;

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

}  // namespace heapscape::engine
