// SPDX-License-Identifier: MIT
#include "runtime/gc/gc_figures.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "base/address.h"
#include "runtime/gc/gc_state.h"

namespace heapscape::engine {
namespace {

// A gc_heap is smaller than this on all runtimes.
constexpr std::uint64_t kHeapBytes = 32 << 10;
constexpr std::uint64_t kMostCommittedBytes = 1ull << 44;  // less than any address of a mapping
constexpr std::uint32_t kGenerations = 5;
constexpr std::uint64_t kMostPauseModes = 4;
constexpr std::uint64_t kMostReasons = 17;
constexpr std::uint64_t kMostProcessors = 4096;

class FigureFinder {
 public:
  FigureFinder(const ClrRuntime& runtime, const GcState& state, const GcVariables& variables)
      : m_runtime(runtime), m_memory(runtime.memory()), m_state(state), m_variables(variables) {}

  GcFigures find() {
    const auto anchor = m_variables.variable("CurrentCGcState");
    if (!anchor || !*anchor) return {};
    const std::uint64_t reach = m_runtime.contract().constant("GcFigures.ReachBytes");
    const std::uint64_t start = anchor->value > reach ? anchor->value - reach : 0;
    m_data = {{alignUp(start, kPointerBytes)}, *anchor + reach};
    m_state.isServer ? findServerBudgets() : findWorkstationBudgets();
    if (!m_figures.budgets.empty()) {
      findRecords();
      findPlan();
    }
    findLimits();
    return std::move(m_figures);
  }

 private:
  template <class T>
  T at(Address structure, std::string_view type, std::string_view field) const {
    return m_runtime.valueAt<T>(structure, type, field).value_or(T{});
  }
  std::uint64_t sizeOf(std::string_view type) const { return m_runtime.contract().sizeOf(type); }

  /// All places of a range that pass, at most two: one is an answer, two are none.
  std::vector<Address> search(AddressRange range, const std::function<bool(Address)>& passes) const {
    std::vector<Address> found;
    for (const AddressRange& part : m_memory.present(range)) {
      for (Address at{alignUp(part.start.value, kPointerBytes)}; at + kPointerBytes <= part.end; at += kPointerBytes) {
        if (passes(at)) found.push_back(at);
        if (found.size() > 1) return found;
      }
    }
    return found;
  }

  /// dynamic_data_table: each row refers to the row of static_data_table with the same number.
  bool isBudgetTable(Address table) const {
    const Address reference = m_runtime.member(table, "GcDynamicData", "StaticData");
    Address first;
    // What it refers to is data of the library, too.
    if (!m_memory.tryRead(reference, first.value) || !m_data.contains(first)) return false;
    for (std::uint32_t i = 1; i < kGenerations; ++i) {
      Address next;
      if (!m_memory.tryRead(reference + i * sizeOf("GcDynamicData"), next.value) ||
          next != first + i * sizeOf("GcStaticData"))
        return false;
    }
    const auto count = [&](std::uint32_t generation) {
      return at<std::uint64_t>(table + generation * sizeOf("GcDynamicData"), "GcDynamicData", "CollectionCount");
    };
    if (count(2) > count(1) || count(1) > count(0)) return false;
    // Its page may be missing: a server GC of .NET 11 has no other variable there.
    const auto least = m_runtime.valueAt<std::uint64_t>(first, "GcStaticData", "MinSize");
    const auto most = m_runtime.valueAt<std::uint64_t>(first, "GcStaticData", "MaxSize");
    return !least || !most || (*least > 0 && *least <= *most);
  }

  void addBudgets(std::uint32_t heap, Address table) {
    for (std::uint32_t i = 0; i < kGenerations; ++i) {
      const Address data = table + i * sizeOf("GcDynamicData");
      const auto number = [&](std::string_view field) { return at<std::uint64_t>(data, "GcDynamicData", field); };
      m_figures.budgets.push_back({.heap = heap,
                                   .generation = i,
                                   .budgetBytes = number("DesiredAllocation"),
                                   .budgetLeftBytes = at<std::int64_t>(data, "GcDynamicData", "NewAllocation"),
                                   .survival = at<float>(data, "GcDynamicData", "Survival"),
                                   .survivedBytes = number("SurvivedSize"),
                                   .pinnedSurvivedBytes = number("PinnedSurvivedSize"),
                                   .promotedBytes = number("PromotedSize"),
                                   .sizeBytes = number("CurrentSize"),
                                   .fragmentationBytes = number("Fragmentation"),
                                   .collectionCount = number("CollectionCount"),
                                   .gcClock = number("GcClock"),
                                   .smallestBudgetBytes = number("MinSize")});
    }
  }

  void findWorkstationBudgets() {
    const auto tables = search(m_data, [&](Address table) { return isBudgetTable(table); });
    if (tables.size() == 1) addBudgets(0, tables.front());
  }

  void findServerBudgets() {
    const auto first = m_variables.heapAt(0);
    if (!first || !*first) return;
    const auto tables = search({*first, *first + kHeapBytes}, [&](Address table) { return isBudgetTable(table); });
    if (tables.empty()) return;
    // Behind the first heap may lie the next one.
    const std::uint64_t offset = tables.front() - *first;
    for (std::uint32_t heap = 0; heap < m_state.heaps.size(); ++heap) {
      const auto address = m_variables.heapAt(heap);
      if (!address || !isBudgetTable(*address + offset)) {
        m_figures.budgets.clear();
        return;
      }
      addBudgets(heap, *address + offset);
    }
  }

  std::uint64_t lastIndex() const { return m_figures.budgets.front().gcClock; }

  std::optional<RecordedCollection> recordAt(Address place) const {
    const auto number = [&](std::string_view field) { return at<std::uint64_t>(place, "GcRecordedInfo", field); };
    RecordedCollection record;
    record.index = number("Index");
    if (record.index == 0 || record.index > lastIndex()) return std::nullopt;
    record.heapSizeBytes = number("HeapSize");
    record.fragmentedBytes = number("Fragmentation");
    std::uint64_t size = 0, fragmentation = 0;
    for (std::uint32_t i = 0; i < kGenerations; ++i) {
      const Address generation =
          m_runtime.member(place, "GcRecordedInfo", "Generations") + i * sizeOf("GcRecordedGeneration");
      const auto part = [&](std::string_view field) {
        return at<std::uint64_t>(generation, "GcRecordedGeneration", field);
      };
      record.generations.push_back(
          {part("SizeBefore"), part("FragmentationBefore"), part("SizeAfter"), part("FragmentationAfter")});
      size += record.generations.back().sizeAfter;
      fragmentation += record.generations.back().fragmentationAfter;
    }
    record.generation = at<std::uint8_t>(place, "GcRecordedInfo", "CondemnedGeneration");
    const auto compaction = at<std::uint8_t>(place, "GcRecordedInfo", "Compaction");
    const auto concurrent = at<std::uint8_t>(place, "GcRecordedInfo", "Concurrent");
    record.memoryLoadPercent = at<std::uint32_t>(place, "GcRecordedInfo", "MemoryLoad");
    record.pausePercent = at<float>(place, "GcRecordedInfo", "PausePercentage");
    record.committedBytes = number("TotalCommitted");
    if (record.committedBytes == 0 || record.committedBytes % kPageBytes != 0 ||
        record.committedBytes > kMostCommittedBytes || size % kPointerBytes != 0)
      return std::nullopt;
    if (size != record.heapSizeBytes || fragmentation != record.fragmentedBytes || size == 0 || fragmentation > size ||
        record.generation > 2 || compaction > 1 || concurrent > 1 || record.memoryLoadPercent > 100 ||
        !(record.pausePercent >= 0 && record.pausePercent <= 100))
      return std::nullopt;
    record.isCompacting = compaction != 0;
    record.isBackground = concurrent != 0;
    record.promotedBytes = number("Promoted");
    record.pinnedObjects = number("PinnedObjects");
    record.finalizationPending = number("FinalizationPending");
    const Address pauses = m_runtime.member(place, "GcRecordedInfo", "PauseDurations");
    for (std::size_t i = 0; i < record.pauseMicroseconds.size(); ++i)
      m_memory.tryRead(pauses + i * kPointerBytes, record.pauseMicroseconds[i]);
    return record;
  }

  void findRecords() {
    if (!m_runtime.contract().has("GcRecordedInfo", "Index")) return;
    search(m_data, [&](Address place) {
      if (auto record = recordAt(place)) m_figures.recorded.push_back(std::move(*record));
      return false;
    });
    std::ranges::sort(m_figures.recorded, std::ranges::greater{}, &RecordedCollection::index);
    // Four are kept: of the last ephemeral, the last full blocking and the last two background collections.
    if (m_figures.recorded.size() > 4) m_figures.recorded.clear();
  }

  std::optional<CollectionPlan> planAt(Address place) const {
    CollectionPlan plan;
    plan.index = at<std::uint64_t>(place, "GcMechanisms", "Index");
    if (plan.index != lastIndex() && plan.index != lastIndex() + 1) return std::nullopt;
    const auto number = [&](std::string_view field) { return at<std::uint32_t>(place, "GcMechanisms", field); };
    for (const std::string_view field : {"Promotion", "Compaction", "LohCompaction", "HeapExpansion", "Concurrent",
                                         "Demotion", "CardBundles", "MinimalGc", "IsBackground"})
      if (number(field) > 1) return std::nullopt;
    plan.generation = number("CondemnedGeneration");
    plan.reason = number("Reason");
    plan.pauseMode = number("PauseMode");
    plan.isPromoting = number("Promotion") != 0;
    plan.isCompacting = number("Compaction") != 0;
    plan.isCompactingLarge = number("LohCompaction") != 0;
    plan.isBackground = number("Concurrent") != 0;
    plan.isDemoting = number("Demotion") != 0;
    // Card bundles are in use on every 64-bit runtime.
    if (plan.generation > 2 || plan.reason > kMostReasons || plan.pauseMode > kMostPauseModes || !number("CardBundles"))
      return std::nullopt;
    for (const RecordedCollection& record : m_figures.recorded) {
      if (record.index == plan.index &&
          (record.generation != plan.generation || record.isCompacting != plan.isCompacting ||
           record.isBackground != plan.isBackground))
        return std::nullopt;
    }
    return plan;
  }

  void findPlan() {
    if (!m_runtime.contract().has("GcMechanisms", "Index")) return;
    // A background collection keeps a copy of its own.
    std::vector<CollectionPlan> plans;
    search(m_data, [&](Address place) {
      const auto plan = planAt(place);
      if (plan && (plans.empty() || plans.front() != *plan)) plans.push_back(*plan);
      return false;
    });
    if (plans.size() == 1) m_figures.plan = plans.front();
  }

  bool areLimits(Address place, std::string_view type) const {
    const auto hundredth = at<std::uint64_t>(place, type, "OnePercent");
    const auto total = at<std::uint64_t>(place, type, "TotalPhysical");
    if (hundredth == 0 || total / 100 < hundredth || total > 1ull << 52) return false;
    // For a workstation GC the hundredth is divided among the processors.
    const std::uint64_t processors = total / 100 / hundredth;
    if (processors > kMostProcessors || total / 100 / processors != hundredth) return false;
    const auto percent = [&](std::string_view field) { return at<std::uint32_t>(place, type, field); };
    const std::uint32_t high = percent("HighLoad"), veryHigh = percent("VeryHighLoad");
    const bool hasAlmostHigh = m_runtime.contract().has(type, "AlmostHighLoad");
    return high >= 1 && high <= 99 && veryHigh >= 1 && veryHigh <= 99 &&
           percent("MediumHighLoad") == std::min(high + 5, veryHigh) &&
           (!hasAlmostHigh || percent("AlmostHighLoad") == (high > 5 ? high - 5 : 1)) &&
           at<std::uint8_t>(place, type, "IsRestricted") <= 1;
  }

  /// .NET 11 has them one by one in libcoreclr.so, in other places for each GC, and side by side in libclrgc.so.
  void findLimits() {
    std::size_t found = 0;
    for (const std::string_view type : {"GcMemorySettings", "WorkstationGcMemorySettings", "ServerGcMemorySettings"}) {
      if (!m_runtime.contract().has(type, "TotalPhysical")) continue;
      const auto places = search(m_data, [&](Address place) { return areLimits(place, type); });
      found += places.size();
      if (places.size() != 1) continue;
      const Address place = places.front();
      m_figures.limits = {.totalPhysicalBytes = at<std::uint64_t>(place, type, "TotalPhysical"),
                          .isRestricted = at<std::uint8_t>(place, type, "IsRestricted") != 0,
                          .hardLimitBytes = at<std::uint64_t>(place, type, "HeapHardLimit"),
                          .highLoadPercent = at<std::uint32_t>(place, type, "HighLoad"),
                          .veryHighLoadPercent = at<std::uint32_t>(place, type, "VeryHighLoad")};
    }
    if (found != 1) m_figures.limits.reset();
  }

  const ClrRuntime& m_runtime;
  const AddressSpace& m_memory;
  const GcState& m_state;
  const GcVariables& m_variables;
  AddressRange m_data;
  GcFigures m_figures;
};

template <std::size_t Count>
const char* nameAmong(const std::array<const char*, Count>& names, std::uint32_t number) {
  return number < Count ? names[number] : "unknown";
}

}  // namespace

const char* collectionReason(std::uint32_t reason) {
  // gc_reason of gcinterface.h; the same in .NET 8 to 10.
  constexpr std::array kNames{"allocation of small objects",
                              "induced",
                              "low memory",
                              "none",
                              "allocation of large objects",
                              "out of space for small objects",
                              "out of space for large objects",
                              "induced, not forced",
                              "stress",
                              "low memory, blocking",
                              "induced, compacting",
                              "low memory of the host",
                              "full collection asked for by an earlier one",
                              "low memory of the host, blocking",
                              "tuning of background collections, small objects",
                              "tuning of background collections, large objects",
                              "stepping of background collections",
                              "induced, aggressive"};
  return nameAmong(kNames, reason);
}

const char* pauseMode(std::uint32_t mode) {
  constexpr std::array kNames{"batch", "interactive", "lowLatency", "sustainedLowLatency", "noGcRegion"};
  return nameAmong(kNames, mode);
}

GcFigures findGcFigures(const ClrRuntime& runtime, const GcState& state) {
  const auto variables = GcVariables::of(runtime);
  if (!variables || !runtime.contract().has("GcDynamicData", "StaticData")) return {};
  return FigureFinder(runtime, state, *variables).find();
}

}  // namespace heapscape::engine
