// SPDX-License-Identifier: MIT
#include "runtime/gc/gc_history.h"

#include <fmt/format.h>

#include <array>
#include <span>
#include <string_view>

#include "base/address.h"
#include "runtime/gc/gc_state.h"

namespace heapscape::engine {
namespace {

// gc_heap_compact_reason, gc_heap_expand_mechanism, gc_mechanism_bit_per_heap and gc_global_mechanism_p of gcrecord.h;
// the same in .NET 8 to 10.
constexpr std::array<std::string_view, 11> kCompactReasons{"low on ephemeral space",
                                                           "high fragmentation",
                                                           "no gaps could be made",
                                                           "large objects to be compacted",
                                                           "last one before out of memory",
                                                           "induced, compacting",
                                                           "fragmented gen0",
                                                           "high memory load",
                                                           "high memory load and fragmentation",
                                                           "very high memory load and fragmentation",
                                                           "no GC region"};
constexpr std::array<std::string_view, 6> kExpandMechanisms{"reused a segment, normal fit",
                                                            "reused a segment, best fit",
                                                            "new segment, promoting the ephemeral one",
                                                            "new segment",
                                                            "no memory for a new segment",
                                                            "in the next full collection"};
constexpr std::array<std::string_view, 2> kMechanismBits{"mark list used", "demotion"};
constexpr std::array<std::string_view, 6> kGlobalMechanisms{"concurrent", "compaction",   "promotion",
                                                            "demotion",   "card bundles", "elevation"};
constexpr std::array<const char*, 3> kRegionKinds{"basic", "large", "huge"};

class HistoryReader {
 public:
  HistoryReader(const ClrRuntime& runtime, const GcState& state, const GcVariables& variables)
      : m_runtime(runtime), m_state(state), m_variables(variables) {}

  GcHistory read() {
    for (std::uint32_t heap = 0; heap < m_state.heaps.size(); ++heap) {
      readOutOfMemory(heap);
      addCounts(heap, "compaction", "CompactReasons", kCompactReasons);
      addCounts(heap, "expansion", "ExpandMechanisms", kExpandMechanisms);
      addCounts(heap, "mechanism", "MechanismBits", kMechanismBits);
      readInternalRoots(heap);
    }
    if (const auto counts = m_variables.variable("GlobalMechanisms"); counts && *counts)
      addCountsAt(*counts, 0, "collections", kGlobalMechanisms);
    m_history.bookkeepingElements = m_variables.number<std::uint32_t>("TotalBookkeepingElements").value_or(0);
    if (m_state.hasRegions) readFreeRegions();
    return std::move(m_history);
  }

 private:
  Result<Address> placeOf(std::uint32_t heap, std::string_view name) const {
    return m_variables.placeOf(m_state.isServer, heap, name);
  }

  void readOutOfMemory(std::uint32_t heap) {
    const auto place = placeOf(heap, "OomInfo");
    if (!place) return;
    const auto number = [&]<class T>(std::string_view field, T) {
      return m_runtime.valueAt<T>(*place, "GcOomHistory", field).value_or(T{});
    };
    OutOfMemoryRecord record{.heap = heap, .reason = number("Reason", std::int32_t{})};
    if (record.reason == 0) return;
    record.getMemoryFailure = number("GetMemoryFailure", std::int32_t{});
    record.allocationBytes = number("AllocationSize", std::uint64_t{});
    record.gcIndex = number("GcIndex", std::uint64_t{});
    record.failedBytes = number("Size", std::uint64_t{});
    record.availablePagefileMb = number("AvailablePagefileMb", std::uint64_t{});
    record.isLarge = number("IsLarge", std::int32_t{}) != 0;
    m_history.outOfMemory.push_back(record);
  }

  void addCounts(std::uint32_t heap, const char* kind, std::string_view variable,
                 std::span<const std::string_view> names) {
    if (const auto place = placeOf(heap, variable)) addCountsAt(*place, heap, kind, names);
  }

  void addCountsAt(Address counts, std::uint32_t heap, const char* kind, std::span<const std::string_view> names) {
    for (std::size_t i = 0; i < names.size(); ++i) {
      std::uint64_t count = 0;
      if (!m_runtime.memory().tryRead(counts + i * kPointerBytes, count)) return;
      m_history.hasMechanisms = true;
      if (count) m_history.mechanisms.push_back({heap, kind, std::string(names[i]), count});
    }
  }

  void readInternalRoots(std::uint32_t heap) {
    const auto array = placeOf(heap, "InternalRootArray");
    const auto index = placeOf(heap, "InternalRootArrayIndex");
    Address roots;
    std::uint64_t count = 0;
    if (array && index && m_runtime.memory().tryRead(*array, roots.value) && roots &&
        m_runtime.memory().tryRead(*index, count))
      m_history.internalRoots += count;
  }

  void readFreeRegions() {
    const std::uint64_t kinds = m_variables.number<std::uint32_t>("CountFreeRegionKinds").value_or(0);
    if (kinds == 0 || kinds > kRegionKinds.size()) return;
    m_history.hasFreeRegions = true;
    for (std::uint32_t heap = 0; heap < m_state.heaps.size(); ++heap) {
      if (const auto lists = placeOf(heap, "FreeRegions")) addLists(*lists, kinds, fmt::format("heap {}", heap), false);
    }
    if (const auto lists = m_variables.variable("GlobalRegionsToDecommit"); lists && *lists)
      addLists(*lists, kinds, "global", true);
    if (const auto list = m_variables.variable("GlobalFreeHugeRegions"); list && *list)
      addList(*list, "global", kRegionKinds.back(), false);
  }

  void addLists(Address lists, std::uint64_t kinds, const std::string& name, bool isForRelease) {
    for (std::uint64_t i = 0; i < kinds; ++i)
      addList(lists + i * m_runtime.contract().sizeOf("GcRegionFreeList"), name, kRegionKinds[i], isForRelease);
  }

  void addList(Address list, const std::string& name, const char* kind, bool isForRelease) {
    const auto regions = m_runtime.valueAt<std::uint64_t>(list, "GcRegionFreeList", "Regions");
    const auto bytes = m_runtime.valueAt<std::uint64_t>(list, "GcRegionFreeList", "SizeOfRegions");
    const auto committed = m_runtime.valueAt<std::uint64_t>(list, "GcRegionFreeList", "SizeCommitted");
    if (regions && *regions && bytes && committed)
      m_history.freeRegions.push_back({name, kind, isForRelease, *regions, *bytes, *committed});
  }

  const ClrRuntime& m_runtime;
  const GcState& m_state;
  const GcVariables& m_variables;
  GcHistory m_history;
};

}  // namespace

const char* outOfMemoryReason(std::int32_t reason) {
  constexpr std::array kNames{"none",         "budget",    "cantCommit",  "cantReserve",
                              "largeObjects", "lowMemory", "unproductive"};
  return reason >= 0 && static_cast<std::size_t>(reason) < kNames.size() ? kNames[static_cast<std::size_t>(reason)]
                                                                         : "unknown";
}

const char* getMemoryFailure(std::int32_t failure) {
  constexpr std::array kNames{"none",      "reserveSegment", "commitSegmentBeginning", "commitEphemeralSegment",
                              "growTable", "commitTable"};
  return failure >= 0 && static_cast<std::size_t>(failure) < kNames.size() ? kNames[static_cast<std::size_t>(failure)]
                                                                           : "unknown";
}

GcHistory readGcHistory(const ClrRuntime& runtime, const GcState& state) {
  const auto variables = GcVariables::of(runtime);
  if (!variables) return {};
  return HistoryReader(runtime, state, *variables).read();
}

}  // namespace heapscape::engine
