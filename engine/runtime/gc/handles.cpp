// SPDX-License-Identifier: MIT
#include "runtime/gc/handles.h"

#include <fmt/format.h>
#include <unordered_set>

#include "base/address.h"
#include "base/limits.h"
#include "runtime/gc/gc_state.h"
#include "runtime/threads/sync_blocks.h"

namespace heapscape::engine {
namespace {

constexpr std::uint64_t kSegmentBytes = 0x10000;  // HANDLE_SEGMENT_SIZE; segments are aligned to it
// Buckets that are read: .NET makes one, and each may name a thousand tables.
constexpr std::size_t kMostBuckets = 1000;
constexpr auto kKinds = static_cast<std::uint8_t>(HandleKind::CrossReference) + 1;

/// How often native code refers to objects with reference-counted handles, as the GC asks the runtime
/// (GCToEEInterface::RefCountedHandleCallbacks, ManagedObjectWrapper::IsRooted): up to .NET 9 the sync block knows the
/// wrappers of its object, since then the handle refers to the object that holds the wrapper. References of a tracker
/// of XAML count, unless it says otherwise, which no program on Linux does.
class ReferenceCounts {
 public:
  explicit ReferenceCounts(const ClrRuntime& runtime) : m_runtime(runtime), m_contract(runtime.contract()) {}

  /// Nothing is known of a handle that no wrapper names, and what is not known counts as held.
  void addTo(GcHandle& handle) const {
    const Address wrapper =
        m_contract.has("ManagedObjectWrapperHolder", "Wrapper") ? wrapperInHolder(handle) : wrapperInSyncBlock(handle);
    const auto count = wrapper ? m_runtime.valueAt<std::uint64_t>(wrapper, "ManagedObjectWrapper", "RefCount")
                               : failure(ErrorCode::NotFound, {});
    if (!count) return;
    handle.referenceCount = static_cast<std::uint32_t>(*count) & kComCountMask;
    handle.isHolding = *handle.referenceCount > 0 || *count >> kTrackerShift > 0;
  }

 private:
  static constexpr std::uint32_t kComCountMask = 0x7fffffff;
  static constexpr unsigned kTrackerShift = 32;
  static constexpr std::uint64_t kMostWrappers = 10'000;  // of one object

  bool isOf(Address wrapper, const GcHandle& handle) const {
    const auto target =
        wrapper ? m_runtime.pointerAt(wrapper, "ManagedObjectWrapper", "Target") : failure(ErrorCode::NotFound, {});
    return target && *target == handle.address;
  }

  Address wrapperInHolder(const GcHandle& handle) const {
    const auto wrapper = m_runtime.pointerAt(handle.object, "ManagedObjectWrapperHolder", "Wrapper");
    return wrapper && isOf(*wrapper, handle) ? *wrapper : Address{};
  }

  Address wrapperInSyncBlock(const GcHandle& handle) const {
    const Address interop = interopInfoOf(handle.object);
    const auto map = interop ? m_runtime.pointerAt(interop, "InteropSyncBlockInfo", "ManagedObjectComWrapperMap")
                             : Result<Address>(Address{});
    if (!map || !*map) return {};
    const auto table = m_runtime.pointerAt(*map, "ManagedObjectWrapperMap", "Table");
    const auto size = m_runtime.valueAt<std::uint32_t>(*map, "ManagedObjectWrapperMap", "TableSize");
    if (!table || !size) return {};
    const std::uint64_t mask = ~(m_contract.constant("ComInterfaceDispatch.Alignment") - 1);
    for (std::uint64_t i = 0; i < *size && i < kMostWrappers; ++i) {
      const Address entry = *table + m_contract.sizeOf("ManagedObjectWrapperEntry") * i;
      const auto dispatch = m_runtime.pointerAt(entry, "ManagedObjectWrapperEntry", "Dispatch");
      if (!dispatch || !*dispatch) continue;
      const auto wrapper = m_runtime.memory().readPointer({dispatch->value & mask});
      if (wrapper && isOf(*wrapper, handle)) return *wrapper;
    }
    return {};
  }

  Address interopInfoOf(Address object) const {
    std::uint32_t header = 0;
    if (!object || !m_runtime.memory().tryRead(object - sizeof header, header)) return {};
    const bool hasIndex = (header & m_contract.constant("SyncBlock.IsHashOrIndex")) != 0 &&
                          (header & m_contract.constant("SyncBlock.IsHash")) == 0;
    if (!hasIndex) return {};
    const auto index = static_cast<std::uint32_t>(header & m_contract.constant("SyncBlock.IndexMask"));
    const auto block = readSyncBlock(m_runtime, index);
    return block && block->object == object ? block->interop : Address{};
  }

  const ClrRuntime& m_runtime;
  const Contract& m_contract;
};

/// Reads the GC's handle tables (src/coreclr/gc/objecthandle.cpp, handletablepriv.h): a chain of maps of buckets, a
/// bucket has a table for each heap, a table is a chain of segments of blocks of handles of one kind.
class HandleTables {
 public:
  HandleTables(const ClrRuntime& runtime, bool includeNull, FindingList& findings)
      : m_runtime(runtime), m_contract(runtime.contract()), m_includeNull(includeNull), m_findings(findings) {
    m_blocks = m_contract.constant("HandleSegment.BlocksPerSegment");
    m_handlesPerBlock = m_contract.constant("HandleSegment.HandlesPerBlock");
    m_blockTypes = m_contract.constant("HandleSegment.BlockTypeOffset");
    m_userData = m_contract.constant("HandleSegment.UserDataOffset");
    m_values = m_contract.constant("HandleSegment.ValuesOffset");
    m_typeNone = m_contract.constant("HandleSegment.TypeNone");
    m_internalType = m_contract.constant("HandleTypes.InternalDataBlock");
  }

  std::vector<GcHandle> read() {
    const auto gc = readGcState(m_runtime);
    const auto variables = m_runtime.globalPointer("GcDacVars");
    auto map = variables ? m_runtime.pointerAt(*variables, "GcDacVars", "HandleTableMap") : variables;
    if (!gc || !map || !*map) {
      m_findings.add(FindingKind::RuntimeDataDamaged, {}, "The GC's handle tables cannot be found.");
      return {};
    }
    m_isServer = gc->isServer;
    m_heaps = gc->heaps.size();
    std::unordered_set<Address> seen;
    while (map && *map && isRoomLeft()) {
      if (m_buckets >= kMostBuckets) {
        m_findings.add(FindingKind::RuntimeDataDamaged, *map, "There are more handle tables than any process has.");
        break;
      }
      if (!seen.insert(*map).second) {
        m_findings.add(FindingKind::RuntimeDataDamaged, *map, "The GC's list of handle tables runs in a circle.");
        break;
      }
      readMap(*map);
      const Address current = *map;
      map = m_runtime.pointerAt(current, "HandleTableMap", "Next");
      if (!map) m_findings.add(FindingKind::MemoryMissing, current, "The GC's list of handle tables breaks off.");
    }
    return std::move(m_handles);
  }
  /// Those that read() went through.
  const std::unordered_set<Address>& segments() const { return m_seenSegments; }

 private:
  bool isRoomLeft() const { return m_handles.size() < kLimits.handles; }

  void readMap(Address map) {
    const auto buckets = m_runtime.pointerAt(map, "HandleTableMap", "Buckets");
    if (!buckets) {
      m_findings.add(FindingKind::MemoryMissing, map, "A map of handle tables is not in the dump.");
      return;
    }
    for (std::uint64_t i = 0; i < m_contract.constant("HandleTableMap.BucketCount"); ++i) {
      Address bucket;
      if (!m_runtime.memory().tryRead(*buckets + kPointerBytes * i, bucket)) {
        m_findings.add(FindingKind::MemoryMissing, *buckets, "A map of handle tables is not in the dump.");
        return;
      }
      if (bucket) readBucket(bucket);
    }
  }

  void readBucket(Address bucket) {
    ++m_buckets;
    const auto tables = m_runtime.pointerAt(bucket, "HandleTableBucket", "Table");
    if (!tables) {
      m_findings.add(FindingKind::MemoryMissing, bucket, "A bucket of handle tables is not in the dump.");
      return;
    }
    for (std::uint32_t heap = 0; heap < kLimits.heaps; ++heap) {
      // A server GC makes a table for each processor (getNumberOfSlots), but may use fewer heaps, as DATAS does since
      // .NET 9: those behind the last heap are read as long as they are tables.
      const bool isExtra = heap >= m_heaps;
      if (isExtra && !m_isServer) break;
      const auto table = m_runtime.memory().readPointer(*tables + kPointerBytes * heap);
      if (!table || !isTable(*table)) {
        if (isExtra) break;
        m_findings.add(FindingKind::RuntimeDataDamaged, table.value_or(*tables), "A handle table cannot be read.");
        continue;
      }
      readTable(*table, heap);
    }
  }

  // Each segment names the table that it belongs to.
  bool isTable(Address table) const {
    const auto segment = m_runtime.pointerAt(table, "HandleTable", "SegmentList");
    const auto owner = segment ? m_runtime.pointerAt(*segment, "HandleSegment", "HandleTable") : segment;
    return owner && *owner == table;
  }

  void readTable(Address table, std::uint32_t heap) {
    auto segment = m_runtime.pointerAt(table, "HandleTable", "SegmentList");
    while (segment && *segment) {
      if (!isRoomLeft()) {
        m_findings.add(FindingKind::RuntimeDataDamaged, *segment, "There are more handles than any process has.");
        return;
      }
      if (segment->value % kSegmentBytes != 0 || !m_seenSegments.insert(*segment).second) {
        m_findings.add(FindingKind::RuntimeDataDamaged, *segment, "A handle table's list of segments is damaged.");
        return;
      }
      // Only the header and the blocks that were used yet are committed.
      const auto header = m_runtime.memory().view({*segment, *segment + m_values});
      if (!header) {
        m_findings.add(FindingKind::MemoryMissing, *segment, "A segment of a handle table is not in the dump.");
        return;
      }
      readSegment(*segment, header->bytes, heap);
      segment = m_runtime.pointerAt(*segment, "HandleSegment", "NextSegment");
    }
  }

  void readSegment(Address segment, Bytes header, std::uint32_t heap) {
    for (std::uint64_t block = 0; block < m_blocks; ++block) {
      std::uint8_t type = 0;
      std::uint8_t userData = 0;
      if (!tryReadAt(header, m_blockTypes + block, type) || !tryReadAt(header, m_userData + block, userData)) return;
      // Blocks of the type behind the last kind hold the secondary objects of others.
      if (type == m_typeNone || type == m_internalType) continue;
      if (type > m_internalType || type >= kKinds) {
        m_findings.add(FindingKind::RuntimeDataDamaged, segment + m_blockTypes + block,
                       "A block of handles is of an unknown kind.");
        continue;
      }
      const Address values = valuesOf(segment, block);
      const auto view = m_runtime.memory().view({values, values + kPointerBytes * m_handlesPerBlock});
      if (!view) {
        m_findings.add(FindingKind::MemoryMissing, values, "A block of handles is not in the dump.");
        continue;
      }
      const auto kind = static_cast<HandleKind>(type);
      const bool hasSecondaries = kind == HandleKind::Dependent && userData < m_blocks;
      readBlock(values, view->bytes, hasSecondaries ? valuesOf(segment, userData) : Address{}, kind, heap);
    }
  }

  Address valuesOf(Address segment, std::uint64_t block) const {
    return segment + m_values + kPointerBytes * m_handlesPerBlock * block;
  }

  // The secondaries of dependent handles lie at the same places of another block.
  void readBlock(Address values, Bytes bytes, Address secondaries, HandleKind kind, std::uint32_t heap) {
    GcHandle handle;
    handle.kind = kind;
    handle.heap = heap;
    for (std::uint64_t offset = 0; tryReadAt(bytes, offset, handle.object); offset += kPointerBytes) {
      if (!handle.object && !m_includeNull) continue;
      handle.address = values + offset;
      handle.dependent = {};
      if (secondaries && !m_runtime.memory().tryRead(secondaries + offset, handle.dependent))
        m_findings.add(FindingKind::MemoryMissing, handle.address, "The secondary of a handle is not in the dump.");
      m_handles.push_back(handle);
      if (kind == HandleKind::RefCounted && handle.object) m_counts.addTo(m_handles.back());
    }
  }

  const ClrRuntime& m_runtime;
  const Contract& m_contract;
  const ReferenceCounts m_counts{m_runtime};
  bool m_includeNull;
  FindingList& m_findings;
  std::uint64_t m_blocks, m_handlesPerBlock, m_blockTypes, m_userData, m_values, m_typeNone, m_internalType;
  bool m_isServer = false;
  std::size_t m_heaps = 0;
  std::size_t m_buckets = 0;  // read so far
  std::unordered_set<Address> m_seenSegments;
  std::vector<GcHandle> m_handles;
};

}  // namespace

std::vector<GcHandle> readHandles(const ClrRuntime& runtime, bool includeNull, FindingList& findings) {
  return HandleTables(runtime, includeNull, findings).read();
}

std::vector<AddressRange> readHandleSegments(const ClrRuntime& runtime, FindingList& findings) {
  HandleTables tables(runtime, false, findings);
  tables.read();
  std::vector<AddressRange> segments;
  for (const Address segment : tables.segments()) segments.push_back({segment, segment + kSegmentBytes});
  return segments;
}

Result<Address> secondaryOfDependentHandle(const ClrRuntime& runtime, Address handle) {
  constexpr std::uint64_t kSegmentBytes = 0x10000;  // HANDLE_SEGMENT_SIZE; segments are aligned to it
  constexpr std::uint64_t kHandleBytes = 8;
  const Contract& contract = runtime.contract();
  const std::uint64_t values = contract.constant("HandleSegment.ValuesOffset");
  const std::uint64_t handlesPerBlock = contract.constant("HandleSegment.HandlesPerBlock");
  const std::uint64_t blocks = contract.constant("HandleSegment.BlocksPerSegment");

  const std::uint64_t offset = handle.value % kSegmentBytes;
  const Address segment = handle - offset;
  const std::uint64_t position = offset < values ? UINT64_MAX : (offset - values) / kHandleBytes;
  const std::uint64_t block = position / handlesPerBlock;
  const auto noHandle = [&] {
    return failure(ErrorCode::Damaged, fmt::format("There is no dependent handle at {}.", toString(handle)));
  };
  if (offset % kHandleBytes != 0 || block >= blocks) return noHandle();
  HEAPSCAPE_TRY(const auto kind, runtime.memory().read<std::uint8_t>(
                                     segment + contract.constant("HandleSegment.BlockTypeOffset") + block));
  if (kind != static_cast<std::uint8_t>(HandleKind::Dependent)) return noHandle();
  HEAPSCAPE_TRY(const auto secondaries, runtime.memory().read<std::uint8_t>(
                                            segment + contract.constant("HandleSegment.UserDataOffset") + block));
  if (secondaries >= blocks) return noHandle();
  return segment + values + kHandleBytes * (secondaries * handlesPerBlock + position % handlesPerBlock);
}

}  // namespace heapscape::engine
