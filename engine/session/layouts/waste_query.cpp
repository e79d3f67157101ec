// SPDX-License-Identifier: MIT
#include "session/layouts/waste_query.h"

#include <tbb/task_arena.h>

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "base/progress.h"
#include "layout/advice/best_order.h"
#include "layout/advice/separation.h"
#include "layout/type_kind.h"
#include "session/layouts/declared_layouts_parts.h"
#include "session/layouts/heap_savings.h"
#include "session/types/type_query.h"

namespace heapscape::engine {
namespace {

/// One type definition and the declaration that makes the heap smallest. All closed types of a generic definition share
/// it, so it is chosen for all of them together.
struct BestDeclarationOnHeap {
  std::vector<std::uint32_t> parts;  // of the definition
  AdviceKind means = AdviceKind::NothingToGain;
  std::vector<std::string> order;  // of the own fields; empty if there is nothing to gain
  DeclarationChange change;
  std::string separation;       // why its empty bytes are not to be won back, see separationOf(); or empty
  std::int64_t savedBytes = 0;  // of the heap, over all parts

  HeapSavings::Changes changes() const;
};

/// Closed types by their definition.
using Definitions = std::map<std::pair<AssemblyId, std::uint32_t>, std::vector<std::uint32_t>>;

/// `closed`: the type of each part, none for those that are left out.
Definitions definitionsOf(HeapSavings& savings, const std::vector<ClosedTypeId>& closed) {
  Definitions definitions;
  for (std::uint32_t part = 0; part < closed.size(); ++part) {
    if (closed[part].isNone()) continue;
    const ClosedType& type = savings.rules().types().type(closed[part]);
    definitions[{type.assembly, type.typeDefRow}].push_back(part);
  }
  return definitions;
}

HeapSavings::Changes changeAll(const std::vector<std::uint32_t>& parts, const DeclarationChange& change) {
  HeapSavings::Changes changes;
  for (const std::uint32_t part : parts) changes.emplace(part, change);
  return changes;
}

/// Tries declarations of one definition on the whole heap.
class DeclarationChooser {
 public:
  /// `canSave`: some object that holds one of the parts could be smaller.
  DeclarationChooser(HeapSavings& savings, std::vector<std::uint32_t> parts, bool canSave)
      : m_savings(savings), m_canSave(canSave) {
    m_chosen.parts = std::move(parts);
  }

  BestDeclarationOnHeap choose() {
    const auto declaration = m_savings.rules().types().declarationOf(m_savings.closed(m_chosen.parts.front()));
    const bool canChange =
        declaration && ((*declaration)->kind == TypeKind::Class || (*declaration)->kind == TypeKind::Struct);
    if (!canChange || (*declaration)->fields.empty()) return std::move(m_chosen);
    findSeparation();
    if (!m_chosen.separation.empty()) return std::move(m_chosen);
    for (const std::uint32_t part : m_chosen.parts) tryBestOrderOf(part);
    if (m_canSave) tryAttributes(**declaration);
    return std::move(m_chosen);
  }

 private:
  // One that is meant so is left alone, and with it all that share its declaration.
  void findSeparation() {
    for (const std::uint32_t part : m_chosen.parts) {
      const auto why = separationOf(m_savings.rules(), m_savings.closed(part));
      if (why && m_chosen.separation.empty()) m_chosen.separation = *why;
    }
  }

  void tryBestOrderOf(std::uint32_t part) {
    const auto best = bestOrderOf(m_savings.rules(), m_savings.closed(part));
    if (best && best->best.means != AdviceKind::NothingToGain)
      take(best->best.means, best->best.order, best->change, true);
  }

  // An attribute alone can make derived classes and surrounding types smaller where the type itself has nothing to
  // gain. Declared offsets and sizes mean something, so they stay.
  void tryAttributes(const TypeDeclaration& declaration) {
    if (declaration.layoutKind == LayoutKind::Explicit || declaration.size || declaration.inlineArrayLength) return;
    std::vector<std::string> order;
    for (const FieldDeclaration& field : declaration.fields) order.emplace_back(field.name);
    if (declaration.layoutKind != LayoutKind::Auto)
      take(AdviceKind::AutoAttribute, order, changeFor(LayoutKind::Auto), false);
    if (declaration.layoutKind != LayoutKind::Sequential)
      take(AdviceKind::SequentialOrder, order, changeFor(LayoutKind::Sequential), false);
  }

  void take(AdviceKind means, const std::vector<std::string>& order, const DeclarationChange& change,
            bool makesTypeSmaller) {
    if (!m_tried.insert({change.layoutKind, change.pack, change.size, change.order, change.explicitOffsets}).second)
      return;
    const auto saved = m_savings.savedBy(changeAll(m_chosen.parts, change));
    if (!saved) return;
    const bool isFirst = m_chosen.means == AdviceKind::NothingToGain;
    // A smaller type is worth declaring even where rounding eats what it saves: others may hold it tomorrow.
    const bool isBetter = *saved > m_chosen.savedBytes || (isFirst && makesTypeSmaller && *saved == 0);
    if (!isBetter) return;
    m_chosen.means = means;
    m_chosen.order = order;
    m_chosen.change = change;
    m_chosen.savedBytes = *saved;
  }

  // All that a change says.
  using Tried = std::tuple<std::optional<LayoutKind>, std::optional<std::uint32_t>, std::optional<std::uint32_t>,
                           std::vector<std::uint32_t>, std::vector<std::uint32_t>>;

  HeapSavings& m_savings;
  const bool m_canSave;
  BestDeclarationOnHeap m_chosen;
  std::set<Tried> m_tried;
};

HeapSavings::Changes BestDeclarationOnHeap::changes() const {
  return means == AdviceKind::NothingToGain ? HeapSavings::Changes{} : changeAll(parts, change);
}

/// Whether any object that holds the part could be smaller by whatever order of fields.
bool canSave(const HeapParts& heap, std::uint32_t part) {
  return std::ranges::any_of(heap.parts[part].holders,
                             [&](std::uint32_t holder) { return heap.types[holder].canShrink; });
}

Outcome<std::vector<BestDeclarationOnHeap>> chooseDeclarations(HeapSavings& savings, const HeapParts& heap,
                                                               const Definitions& definitions, StageProgress& progress,
                                                               std::stop_token stop) {
  std::vector<BestDeclarationOnHeap> chosen;
  for (const auto& [definition, parts] : definitions) {
    if (stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
    const bool isWorth = std::ranges::any_of(parts, [&](std::uint32_t part) { return canSave(heap, part); });
    chosen.push_back(DeclarationChooser(savings, parts, isWorth).choose());
    progress.report(static_cast<double>(chosen.size()) / static_cast<double>(definitions.size()));
  }
  return chosen;
}

/// Bytes that the heap would shrink by with all of these together. One that the runtime would not load beside those
/// that save more is left out.
Outcome<std::int64_t> savedByAll(HeapSavings& savings, std::vector<const BestDeclarationOnHeap*> chosen,
                                 std::stop_token stop) {
  std::ranges::stable_sort(chosen, std::greater(), &BestDeclarationOnHeap::savedBytes);
  HeapSavings::Changes together;
  for (const BestDeclarationOnHeap* one : chosen) together.merge(one->changes());
  if (const auto saved = savings.savedBy(together)) return *saved;

  // A class declared sequential cannot derive from one declared auto: add what still loads, one after the other.
  together.clear();
  std::int64_t best = 0;
  for (const BestDeclarationOnHeap* one : chosen) {
    if (stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
    HeapSavings::Changes with = together;
    with.merge(one->changes());
    const auto saved = savings.savedBy(with);
    if (!saved) continue;
    together = std::move(with);
    best = *saved;
  }
  return best;
}

constexpr double kPartsEnd = 0.1;  // shares of the whole progress
constexpr double kLengthsEnd = 0.3;
constexpr double kChoicesEnd = 0.8;
constexpr const char* kMeasuringWaste = "measuring waste";

class WasteReader {
 public:
  WasteReader(const Contents& contents, DeclaredLayouts::Parts& layouts, ProgressSink* progress, std::stop_token stop)
      : m_contents(contents), m_layouts(layouts), m_progress(progress), m_stop(std::move(stop)) {}

  Outcome<Waste> read() {
    HEAPSCAPE_CHECK(readParts());
    HEAPSCAPE_TRY(const std::vector<ClosedTypeId> closed, closedTypes(nullptr));
    HeapSavings savings(*m_contents.heap, heapParts(), closed, m_lengths, m_layouts.rules());
    HEAPSCAPE_CHECK(savings.measure(m_stop));
    StageProgress choosing(m_progress, kMeasuringWaste, kLengthsEnd, kChoicesEnd);
    HEAPSCAPE_TRY(const std::vector<BestDeclarationOnHeap> chosen,
                  chooseDeclarations(savings, heapParts(), definitionsOf(savings, closed), choosing, m_stop));
    HEAPSCAPE_CHECK(addRows(savings, chosen));
    HEAPSCAPE_CHECK(addTotals(savings, chosen));
    return std::move(m_waste);
  }

  Outcome<std::vector<WasteRow>> readToWinBack() {
    HEAPSCAPE_CHECK(readParts());
    const std::vector<std::optional<Definition>> definitions = definitionsOfParts();
    HEAPSCAPE_TRY(const Choices choices, choose(partsThatMaySave(definitions, false)));
    for (const BestDeclarationOnHeap& one : choices.made) {
      for (const std::uint32_t part : one.parts) {
        WasteRow row = rowOf(part);
        addBest(row, part, *choices.savings, one);
        if (row.savedByBest > 0 || (!row.separation.empty() && row.paddingBytes))
          m_waste.rows.push_back(std::move(row));
      }
    }
    sortRows();
    return std::move(m_waste.rows);
  }

  Outcome<LargestWaste> readLargest(std::size_t rows, std::size_t own) {
    HEAPSCAPE_CHECK(readParts());
    const std::vector<std::optional<Definition>> definitions = definitionsOfParts();
    HEAPSCAPE_TRY(const Choices saving, choose(partsThatMaySave(definitions, true)));
    std::map<std::uint32_t, WasteRow> found;
    for (const BestDeclarationOnHeap& one : saving.made) {
      for (const std::uint32_t part : one.parts) {
        WasteRow& row = found.emplace(part, rowOf(part)).first->second;
        addBest(row, part, *saving.savings, one);
      }
    }
    LargestWaste largest;
    const std::vector<std::uint32_t> shown = largestParts(found, rows, own, largest.rowsInAll);
    // Of the others nothing is saved on this heap, but they may be smaller themselves.
    std::set<Definition> others;
    for (const std::uint32_t part : shown) {
      if (!found.contains(part) && definitions[part]) others.insert(*definitions[part]);
      found.try_emplace(part, rowOf(part));
    }
    HEAPSCAPE_TRY(const Choices smaller, choose(partsOf(others, definitions)));
    for (const BestDeclarationOnHeap& one : smaller.made) {
      for (const std::uint32_t part : one.parts) {
        if (const auto row = found.find(part); row != found.end()) addBest(row->second, part, *smaller.savings, one);
      }
    }
    for (const std::uint32_t part : shown) largest.rows.push_back(std::move(found.at(part)));
    HEAPSCAPE_TRY(largest.savedByAllBest, savedByOwn(*saving.savings, saving.made));
    largest.paddingBytes = paddingBytes();
    largest.heapBytes = heapBytes();
    return largest;
  }

 private:
  using Definition = std::pair<std::string_view, std::uint32_t>;  // by the module's version id, in whatever context

  /// Of a type of a program without modules; nullopt where nothing tells of it.
  std::optional<Definition> toldDefinitionOf(Address methodTable) const {
    const auto closed = m_layouts.typeOf(methodTable);
    if (!closed || m_contents.readers->modules.areAssemblies()) return std::nullopt;
    return Definition{{}, m_layouts.declared().type(*closed).typeDefRow};
  }

  /// The best declarations of some definitions, and what they were found with.
  struct Choices {
    std::unique_ptr<HeapSavings> savings;
    std::vector<BestDeclarationOnHeap> made;
  };

  const HeapParts& heapParts() const { return *m_heapParts; }

  Outcome<void> readParts() {
    StageProgress readingParts(m_progress, kMeasuringWaste, 0, kPartsEnd);
    HEAPSCAPE_TRY(m_heapParts, heapPartsOf(m_contents, readingParts, m_stop));
    HEAPSCAPE_TRY(m_lengths, readLengths());
    return {};
  }

  /// By part; nullopt where nothing tells of it.
  std::vector<std::optional<Definition>> definitionsOfParts() const {
    const RuntimeReaders& readers = *m_contents.readers;
    std::vector<std::optional<Definition>> definitions(heapParts().parts.size());
    for (std::uint32_t i = 0; i < definitions.size(); ++i) {
      const Address methodTable = heapParts().parts[i].methodTable;
      const auto type = readers.methodTables.read(methodTable);
      const auto row = type ? readers.methodTables.typeDefRow(*type) : failure(ErrorCode::NotFound, {});
      const Module* module = type ? readers.modules.definingModule(readers.methodTables, *type) : nullptr;
      definitions[i] = module && row ? Definition{module->mvid, *row} : toldDefinitionOf(methodTable);
    }
    return definitions;
  }

  std::vector<std::uint8_t> partsOf(const std::set<Definition>& asked,
                                    const std::vector<std::optional<Definition>>& definitions) const {
    std::vector<std::uint8_t> isAsked(definitions.size());
    for (std::uint32_t i = 0; i < isAsked.size(); ++i) isAsked[i] = definitions[i] && asked.contains(*definitions[i]);
    return isAsked;
  }

  /// Parts that a declaration of their own may save something by, or that are separated: an object without its padding
  /// is not smaller than with the best order of fields. With each part all others of its definition.
  std::vector<std::uint8_t> partsThatMaySave(const std::vector<std::optional<Definition>>& definitions,
                                             bool withFramework) const {
    const RuntimeReaders& readers = *m_contents.readers;
    std::set<Definition> worth;
    for (std::uint32_t i = 0; i < definitions.size(); ++i) {
      if (!definitions[i] || worth.contains(*definitions[i])) continue;
      const HeapPart& part = heapParts().parts[i];
      const bool mayShrink = canSave(heapParts(), i);
      if (!mayShrink && !part.paddingBytes) continue;
      const std::string& name = readers.names.nameOf(part.methodTable);
      if (!withFramework && ownerOf(part.methodTable, name) == CodeOwner::Framework) continue;
      if (mayShrink || namesSeparation(name)) worth.insert(*definitions[i]);
    }
    return partsOf(worth, definitions);
  }

  CodeOwner ownerOf(Address methodTable, const std::string& name) const {
    const RuntimeReaders& readers = *m_contents.readers;
    const auto type = readers.methodTables.read(methodTable);
    const Module* module = type ? readers.modules.definingModule(readers.methodTables, *type) : nullptr;
    return m_contents.owners->of(module ? std::string_view(module->name) : std::string_view(), name);
  }

  Outcome<Choices> choose(const std::vector<std::uint8_t>& isAsked) {
    Choices choices;
    HEAPSCAPE_TRY(std::vector<ClosedTypeId> closed, closedTypes(&isAsked));
    choices.savings =
        std::make_unique<HeapSavings>(*m_contents.heap, heapParts(), closed, m_lengths, m_layouts.rules());
    for (std::uint32_t part = 0; part < closed.size(); ++part)
      if (!isAsked[part]) closed[part] = ClosedTypeId{};
    StageProgress choosing(nullptr, kMeasuringWaste, kLengthsEnd, kChoicesEnd);
    HEAPSCAPE_TRY(choices.made, chooseDeclarations(*choices.savings, heapParts(),
                                                   definitionsOf(*choices.savings, closed), choosing, m_stop));
    return choices;
  }

  /// Parts in the order of the rows: the first `rows` of them, and those behind until `own` with padding are not the
  /// framework's. `found`: the rows of all that may save something.
  std::vector<std::uint32_t> largestParts(const std::map<std::uint32_t, WasteRow>& found, std::size_t rows,
                                          std::size_t own, std::size_t& all) const {
    const TypeNames& names = m_contents.readers->names;
    const auto keyOf = [&](std::uint32_t part) {
      const auto row = found.find(part);
      const HeapPart& read = heapParts().parts[part];
      return std::tuple(~(row == found.end() ? 0 : row->second.savedByBest), ~read.ownPaddingBytes, ~read.paddingBytes,
                        std::string_view(names.nameOf(read.methodTable)), read.methodTable);
    };
    std::vector<std::uint32_t> left;
    for (std::uint32_t part = 0; part < heapParts().parts.size(); ++part) {
      const auto row = found.find(part);
      if (heapParts().parts[part].paddingBytes || (row != found.end() && row->second.savedByBest > 0))
        left.push_back(part);
    }
    all = left.size();
    std::ranges::make_heap(left, std::ranges::greater(), keyOf);
    std::vector<std::uint32_t> largest;
    for (std::size_t ownFound = 0; !left.empty() && (largest.size() < rows || ownFound < own);) {
      std::ranges::pop_heap(left, std::ranges::greater(), keyOf);
      largest.push_back(left.back());
      left.pop_back();
      const HeapPart& part = heapParts().parts[largest.back()];
      const bool isOwn = ownerOf(part.methodTable, names.nameOf(part.methodTable)) != CodeOwner::Framework;
      ownFound += isOwn && part.paddingBytes;
    }
    return largest;
  }

  /// Whether a part lies in an object that also holds one of these.
  std::vector<std::uint8_t> partsHoldingAny(const std::vector<std::uint8_t>& parts) const {
    std::vector<std::uint8_t> isHolding = parts;
    for (std::uint32_t i = 0; i < parts.size(); ++i) {
      if (!parts[i]) continue;
      for (const std::uint32_t holder : heapParts().parts[i].holders) isHolding[heapParts().types[holder].part] = 1;
    }
    return isHolding;
  }

  Outcome<std::vector<ArrayLengths>> readLengths() const {
    std::vector<TypeId> arrays;
    for (const HoldingType& type : heapParts().types) {
      if (type.isArray) arrays.push_back(type.type);
    }
    return readArrayLengths(m_contents, arrays, m_stop);
  }

  /// `asked`: the parts that matter, with what their objects are; null for all.
  Outcome<std::vector<ClosedTypeId>> closedTypes(const std::vector<std::uint8_t>* asked) {
    const std::vector<std::uint8_t> isAsked = asked ? partsHoldingAny(*asked) : std::vector<std::uint8_t>();
    std::vector<ClosedTypeId> closed(heapParts().parts.size());
    for (std::size_t i = 0; i < closed.size(); ++i) {
      if (i % kHeavyStopInterval == 0 && m_stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
      if (asked && !isAsked[i]) continue;
      closed[i] = m_layouts.typeOf(heapParts().parts[i].methodTable).value_or(ClosedTypeId{});
    }
    return closed;
  }

  Outcome<void> addRows(HeapSavings& savings, const std::vector<BestDeclarationOnHeap>& chosen) {
    std::vector<const BestDeclarationOnHeap*> choiceOf(heapParts().parts.size());
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
    sortRows();
    return {};
  }

  void sortRows() {
    std::ranges::sort(m_waste.rows, {}, [](const WasteRow& row) {
      return std::tuple(~row.savedByBest, ~row.ownPaddingBytes, ~row.paddingBytes, std::string_view(row.type),
                        row.methodTable);
    });
  }

  WasteRow rowOf(std::uint32_t index) const {
    const HeapPart& part = heapParts().parts[index];
    const RuntimeReaders& readers = *m_contents.readers;
    WasteRow row;
    row.methodTable = part.methodTable;
    row.type = readers.names.nameOf(part.methodTable);
    row.nameSpace = namespaceOf(row.type);
    row.count = part.objects;
    row.elements = part.elements;
    row.nested = part.nested;
    row.derived = part.derived;
    for (const std::uint32_t holder : part.holders) row.holders.push_back(heapParts().types[holder].type);
    row.paddingBytes = part.paddingBytes;
    row.ownPaddingBytes = part.ownPaddingBytes;
    const auto type = readers.methodTables.read(part.methodTable);
    if (!type) return row;
    if (const Module* module = readers.modules.definingModule(readers.methodTables, *type)) row.assembly = module->name;
    row.owner = m_contents.owners->of(row.assembly, row.type);
    row.kind = kindOf(readers.runtime, *type);
    row.instanceBytes = type->isValueType ? readers.methodTables.valueSize(*type).value_or(0) : type->baseSize;
    row.bestBytes = row.instanceBytes;
    return row;
  }

  static void addSavings(WasteRow& row, std::uint32_t part, HeapSavings& savings, const BestDeclarationOnHeap& chosen) {
    addBest(row, part, savings, chosen);
    if ((row.kind != TypeKind::Class && row.kind != TypeKind::Struct) || !row.separation.empty()) return;
    const auto declaration = savings.rules().types().declarationOf(savings.closed(part));
    const auto savedBy = [&](LayoutKind kind) {
      if (!declaration || (*declaration)->layoutKind == kind) return std::int64_t{0};
      return savings.savedBy({{part, changeFor(kind)}}).value_or(0);
    };
    row.savedByAuto = savedBy(LayoutKind::Auto);
    row.savedBySequential = savedBy(LayoutKind::Sequential);
  }

  static void addBest(WasteRow& row, std::uint32_t part, HeapSavings& savings, const BestDeclarationOnHeap& chosen) {
    row.id = layoutType(savings.closed(part));
    if (row.kind != TypeKind::Class && row.kind != TypeKind::Struct) return;
    row.separation = chosen.separation;
    if (!row.separation.empty()) return;
    if (chosen.means == AdviceKind::NothingToGain) return;
    row.means = chosen.means;
    row.order = chosen.order;
    row.savedByBest = savings.savedBy({{part, chosen.change}}).value_or(0);
    row.bestBytes = savings.instanceBytes(part, {{part, chosen.change}}).value_or(row.instanceBytes);
  }

  Outcome<void> addTotals(HeapSavings& savings, const std::vector<BestDeclarationOnHeap>& chosen) {
    m_waste.paddingBytes = paddingBytes();
    for (const BestDeclarationOnHeap& one : chosen) {
      if (one.separation.empty()) continue;
      for (const std::uint32_t part : one.parts) m_waste.separatedBytes += heapParts().parts[part].ownPaddingBytes;
    }
    m_waste.roundingBytes = heapParts().boxRoundingBytes;
    m_waste.arrayEndBytes = heapParts().arrayEndBytes;
    m_waste.heapBytes = heapBytes();
    m_waste.typesNotComputed = heapParts().unread.size() + savings.notComputed();
    HEAPSCAPE_TRY(m_waste.savedByAllBest, savedByOwn(savings, chosen));
    return {};
  }

  std::uint64_t paddingBytes() const {
    std::uint64_t bytes = heapParts().boxRoundingBytes;
    for (const HeapPart& part : heapParts().parts) bytes += part.ownPaddingBytes;
    return bytes;
  }

  std::uint64_t heapBytes() const {
    const WalkedHeap& heap = *m_contents.heap;
    std::uint64_t bytes = 0;
    for (std::uint32_t i = 0; i < heap.types.size(); ++i) {
      if (TypeId{i} != heap.freeType) bytes += heap.counts.bytes[i];
    }
    return bytes;
  }

  /// Bytes that all choices together save that are not the framework's and may save any.
  Outcome<std::int64_t> savedByOwn(HeapSavings& savings, const std::vector<BestDeclarationOnHeap>& chosen) const {
    std::vector<const BestDeclarationOnHeap*> own;
    for (const BestDeclarationOnHeap& one : chosen) {
      const bool isWorth =
          one.means != AdviceKind::NothingToGain &&
          std::ranges::any_of(one.parts, [&](std::uint32_t part) { return canSave(heapParts(), part); });
      if (isWorth && !isOfFramework(savings, one)) own.push_back(&one);
    }
    return savedByAll(savings, std::move(own), m_stop);
  }

  bool isOfFramework(HeapSavings& savings, const BestDeclarationOnHeap& choice) const {
    const ClosedType& type = m_layouts.declared().type(savings.closed(choice.parts.front()));
    const std::string& name = m_layouts.declared().nameOf(savings.closed(choice.parts.front()));
    return m_contents.owners->of(m_layouts.declared().assemblyName(type.assembly), name) == CodeOwner::Framework;
  }

  const Contents& m_contents;
  DeclaredLayouts::Parts& m_layouts;
  ProgressSink* m_progress;
  std::stop_token m_stop;
  std::shared_ptr<const HeapParts> m_heapParts;
  std::vector<ArrayLengths> m_lengths;
  Waste m_waste;
};

}  // namespace

namespace {

/// What `ask` reads of the waste; nothing of a dump without a heap. While it waits for other cores it takes on no other
/// work, which might wait for the lock.
template <class Answer, class Ask>
Outcome<Answer> readWaste(const Snapshot& snapshot, const DeclaredLayouts& layouts, ProgressSink* progress,
                          std::stop_token stop, const Ask& ask) {
  if (!layouts.isOfDump())
    return failure(ErrorCode::BadQuery, "An assembly has no heap, so there is nothing that its layouts waste.",
                   "Open a dump.");
  if (!snapshot.contents().heap) return Answer{};
  DeclaredLayouts::Parts& parts = layouts.parts();
  const std::lock_guard lock(parts.mutex);
  WasteReader reader(snapshot.contents(), parts, progress, std::move(stop));
  return tbb::this_task_arena::isolate([&] { return ask(reader); });
}

}  // namespace

Outcome<Waste> wasteOf(const Snapshot& snapshot, const DeclaredLayouts& layouts, ProgressSink* progress,
                       std::stop_token stop) {
  return readWaste<Waste>(snapshot, layouts, progress, std::move(stop),
                          [](WasteReader& reader) { return reader.read(); });
}

Outcome<LargestWaste> largestWaste(const Snapshot& snapshot, const DeclaredLayouts& layouts, std::size_t rows,
                                   std::size_t own, ProgressSink* progress, std::stop_token stop) {
  return readWaste<LargestWaste>(snapshot, layouts, progress, std::move(stop),
                                 [&](WasteReader& reader) { return reader.readLargest(rows, own); });
}

Outcome<std::vector<WasteRow>> wasteToWinBack(const Snapshot& snapshot, const DeclaredLayouts& layouts,
                                              std::stop_token stop) {
  return readWaste<std::vector<WasteRow>>(snapshot, layouts, nullptr, std::move(stop),
                                          [](WasteReader& reader) { return reader.readToWinBack(); });
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
