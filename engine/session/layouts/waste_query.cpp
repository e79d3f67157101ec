// SPDX-License-Identifier: MIT
#include "session/layouts/waste_query.h"

#include <tbb/task_arena.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <tuple>
#include <utility>

#include "base/stop_interval.h"
#include "layout/framework_assembly.h"
#include "layout/type_kind.h"
#include "session/layouts/best_declarations.h"
#include "session/layouts/declared_layouts_parts.h"
#include "session/types/type_query.h"

namespace heapscape::engine {
namespace {

constexpr double kPartsEnd = 0.1;  // shares of the whole progress
constexpr double kLengthsEnd = 0.3;
constexpr double kChoicesEnd = 0.8;
constexpr const char* kMeasuringWaste = "measuring waste";

class WasteReader {
 public:
  WasteReader(const Contents& contents, DeclaredLayouts::Parts& layouts, ProgressSink* progress, std::stop_token stop)
      : m_contents(contents), m_layouts(layouts), m_progress(progress), m_stop(std::move(stop)) {}

  Outcome<Waste> read() {
    StageProgress readingParts(m_progress, kMeasuringWaste, 0, kPartsEnd);
    HEAPSCAPE_TRY(m_parts, readHeapParts(m_contents, readingParts, m_stop));
    HEAPSCAPE_TRY(const std::vector<ArrayLengths> lengths, readLengths());
    HEAPSCAPE_TRY(std::vector<ClosedTypeId> closed, closedTypes());
    HeapSavings savings(*m_contents.heap, m_parts, std::move(closed), lengths, m_layouts.rules());
    HEAPSCAPE_CHECK(savings.measure(m_stop));
    StageProgress choosing(m_progress, kMeasuringWaste, kLengthsEnd, kChoicesEnd);
    HEAPSCAPE_TRY(const std::vector<BestDeclarationOnHeap> chosen,
                  chooseDeclarations(savings, m_parts.parts.size(), choosing, m_stop));
    HEAPSCAPE_CHECK(addRows(savings, chosen));
    HEAPSCAPE_CHECK(addTotals(savings, chosen));
    return std::move(m_waste);
  }

 private:
  Outcome<std::vector<ArrayLengths>> readLengths() const {
    std::vector<TypeId> arrays;
    for (const HoldingType& type : m_parts.types) {
      if (type.isArray) arrays.push_back(type.type);
    }
    return readArrayLengths(m_contents, arrays, m_stop);
  }

  Outcome<std::vector<ClosedTypeId>> closedTypes() {
    std::vector<ClosedTypeId> closed;
    for (const HeapPart& part : m_parts.parts) {
      if (closed.size() % kHeavyStopInterval == 0 && m_stop.stop_requested())
        return tl::unexpected(Unfinished::cancelled());
      closed.push_back(m_layouts.typeOf(part.methodTable).value_or(ClosedTypeId{}));
    }
    return closed;
  }

  Outcome<void> addRows(HeapSavings& savings, const std::vector<BestDeclarationOnHeap>& chosen) {
    std::vector<const BestDeclarationOnHeap*> choiceOf(m_parts.parts.size());
    for (const BestDeclarationOnHeap& one : chosen) {
      for (const std::uint32_t part : one.parts) choiceOf[part] = &one;
    }
    StageProgress adding(m_progress, kMeasuringWaste, kChoicesEnd, 1);
    for (std::uint32_t part = 0; part < choiceOf.size(); ++part) {
      if (m_stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
      WasteRow row = rowOf(part);
      if (choiceOf[part]) addSavings(row, part, savings, *choiceOf[part]);
      const bool hasSavings = row.means != AdviceKind::NothingToGain || row.savedByAuto || row.savedBySequential;
      if (row.paddingBytes || hasSavings) m_waste.rows.push_back(std::move(row));
      adding.report(static_cast<double>(part + 1) / static_cast<double>(choiceOf.size()));
    }
    std::ranges::sort(m_waste.rows, {}, [](const WasteRow& row) {
      return std::tuple(~row.savedByBest, ~row.ownPaddingBytes, ~row.paddingBytes, std::string_view(row.type),
                        row.methodTable);
    });
    return {};
  }

  WasteRow rowOf(std::uint32_t index) const {
    const HeapPart& part = m_parts.parts[index];
    const RuntimeReaders& readers = *m_contents.readers;
    WasteRow row;
    row.methodTable = part.methodTable;
    row.type = readers.names.nameOf(part.methodTable);
    row.nameSpace = namespaceOf(row.type);
    row.count = part.objects;
    row.elements = part.elements;
    row.nested = part.nested;
    row.derived = part.derived;
    for (const std::uint32_t holder : part.holders) row.holders.push_back(m_parts.types[holder].type);
    row.paddingBytes = part.paddingBytes;
    row.ownPaddingBytes = part.ownPaddingBytes;
    const auto type = readers.methodTables.read(part.methodTable);
    if (!type) return row;
    if (const Module* module = readers.modules.definingModule(readers.methodTables, *type)) row.assembly = module->name;
    row.isFramework = isFrameworkAssembly(row.assembly);
    row.kind = kindOf(readers.runtime, *type);
    row.instanceBytes = type->isValueType ? readers.methodTables.valueSize(*type).value_or(0) : type->baseSize;
    row.bestBytes = row.instanceBytes;
    return row;
  }

  static void addSavings(WasteRow& row, std::uint32_t part, HeapSavings& savings, const BestDeclarationOnHeap& chosen) {
    row.id = layoutType(savings.closed(part));
    if (row.kind != TypeKind::Class && row.kind != TypeKind::Struct) return;
    row.separation = chosen.separation;
    if (!row.separation.empty()) return;
    const auto declaration = savings.rules().types().declarationOf(savings.closed(part));
    const auto savedBy = [&](LayoutKind kind) {
      if (!declaration || (*declaration)->layoutKind == kind) return std::int64_t{0};
      return savings.savedBy({{part, changeFor(kind)}}).value_or(0);
    };
    row.savedByAuto = savedBy(LayoutKind::Auto);
    row.savedBySequential = savedBy(LayoutKind::Sequential);
    if (chosen.means == AdviceKind::NothingToGain) return;
    row.means = chosen.means;
    row.order = chosen.order;
    row.savedByBest = savings.savedBy({{part, chosen.change}}).value_or(0);
    row.bestBytes = savings.instanceBytes(part, {{part, chosen.change}}).value_or(row.instanceBytes);
  }

  Outcome<void> addTotals(HeapSavings& savings, const std::vector<BestDeclarationOnHeap>& chosen) {
    m_waste.paddingBytes = m_parts.boxRoundingBytes;
    for (const HeapPart& part : m_parts.parts) m_waste.paddingBytes += part.ownPaddingBytes;
    for (const BestDeclarationOnHeap& one : chosen) {
      if (one.separation.empty()) continue;
      for (const std::uint32_t part : one.parts) m_waste.separatedBytes += m_parts.parts[part].ownPaddingBytes;
    }
    m_waste.roundingBytes = m_parts.boxRoundingBytes;
    m_waste.arrayEndBytes = m_parts.arrayEndBytes;
    const WalkedHeap& heap = *m_contents.heap;
    for (std::uint32_t i = 0; i < heap.types.size(); ++i) {
      if (TypeId{i} != heap.freeType) m_waste.heapBytes += heap.counts.bytes[i];
    }
    m_waste.typesNotComputed = m_parts.unread.size() + savings.notComputed();

    std::vector<const BestDeclarationOnHeap*> own;
    for (const BestDeclarationOnHeap& one : chosen) {
      if (one.means != AdviceKind::NothingToGain && !isOfFramework(savings, one)) own.push_back(&one);
    }
    HEAPSCAPE_TRY(m_waste.savedByAllBest, savedByAll(savings, std::move(own), m_stop));
    return {};
  }

  bool isOfFramework(HeapSavings& savings, const BestDeclarationOnHeap& choice) const {
    const ClosedType& type = m_layouts.types.type(savings.closed(choice.parts.front()));
    return isFrameworkAssembly(m_layouts.types.assemblyName(type.assembly));
  }

  const Contents& m_contents;
  DeclaredLayouts::Parts& m_layouts;
  ProgressSink* m_progress;
  std::stop_token m_stop;
  HeapParts m_parts;
  Waste m_waste;
};

}  // namespace

Outcome<Waste> wasteOf(const Snapshot& snapshot, const DeclaredLayouts& layouts, ProgressSink* progress,
                       std::stop_token stop) {
  if (!layouts.isOfDump())
    return failure(ErrorCode::BadQuery, "An assembly has no heap, so there is nothing that its layouts waste.",
                   "Open a dump.");
  if (!snapshot.contents().heap) return Waste{};
  DeclaredLayouts::Parts& parts = layouts.parts();
  const std::lock_guard lock(parts.mutex);
  WasteReader reader(snapshot.contents(), parts, progress, std::move(stop));
  // While it waits for other cores it takes on no other work, which might wait for the lock.
  return tbb::this_task_arena::isolate([&] { return reader.read(); });
}

std::vector<WasteGroup> groupWaste(const Waste& waste, WasteGrouping grouping) {
  std::map<std::string, WasteGroup> groups;
  for (const WasteRow& row : waste.rows) {
    const std::string& name = grouping == WasteGrouping::Namespace ? row.nameSpace : row.assembly;
    WasteGroup& group = groups[name];
    group.name = name;
    ++group.types;
    group.ownPaddingBytes += row.ownPaddingBytes;
    group.savedByBest += row.savedByBest;
  }
  std::vector<WasteGroup> ordered;
  for (auto& [name, group] : groups) ordered.push_back(std::move(group));
  std::ranges::stable_sort(
      ordered, {}, [](const WasteGroup& group) { return std::tuple(~group.savedByBest, ~group.ownPaddingBytes); });
  return ordered;
}

}  // namespace heapscape::engine
