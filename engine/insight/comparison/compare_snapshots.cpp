// SPDX-License-Identifier: MIT
#include "insight/comparison/compare_snapshots.h"

#include <fmt/format.h>
#include <tbb/parallel_invoke.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/figures.h"
#include "base/progress.h"
#include "insight/comparison/followed_suspects.h"
#include "insight/comparison/matching.h"
#include "layout/advice/layout_difference.h"
#include "runtime/gc/handles.h"
#include "session/snapshot/contents.h"
#include "session/threads/threads_query.h"
#include "session/types/type_owner.h"

namespace heapscape::engine {
namespace {

void sortInsights(std::vector<InsightChange>& changes) {
  std::ranges::stable_sort(changes, std::ranges::greater(), [](const InsightChange& change) {
    return std::pair(change.bytes.difference(), change.objects.difference());
  });
}

// Where each part ends.
constexpr double kFiguresEnd = 0.05;
constexpr double kInsightsBeforeEnd = 0.5;
constexpr double kInsightsEnd = 0.95;

/// At the same time where there is memory for both: what one does on one core goes on beside the other's.
Outcome<std::pair<InsightList, InsightList>> findInsightsOfBoth(const Snapshot& before, const Snapshot& after,
                                                                const InsightOptions& options, ProgressSink* progress,
                                                                const std::stop_token& stop) {
  std::optional<Outcome<InsightList>> ofBefore, ofAfter;
  if (isMemoryForInsightsOf(before, after)) {
    StageProgress both(progress, "looking for insights", kFiguresEnd, kInsightsEnd);
    JointProgress joint(both, 0, 1);
    PartOfJoint partOfBefore(joint, 0.5), partOfAfter(joint, 0.5);
    tbb::parallel_invoke([&] { ofBefore = findInsights(before, options, &partOfBefore, stop); },
                         [&] { ofAfter = findInsights(after, options, &partOfAfter, stop); });
  } else {
    PartOfProgress partOfBefore(progress, kFiguresEnd, kInsightsBeforeEnd);
    PartOfProgress partOfAfter(progress, kInsightsBeforeEnd, kInsightsEnd);
    ofBefore = findInsights(before, options, &partOfBefore, stop);
    if (*ofBefore) ofAfter = findInsights(after, options, &partOfAfter, stop);
  }
  if (!*ofBefore) return tl::unexpected(std::move(ofBefore->error()));
  if (!*ofAfter) return tl::unexpected(std::move(ofAfter->error()));
  return std::pair(*std::move(*ofBefore), *std::move(*ofAfter));
}

Outcome<void> addInsights(Comparison& comparison, const Snapshot& before, const Snapshot& after, ProgressSink* progress,
                          std::stop_token stop) {
  InsightOptions options;
  if (before.isRecorded() || after.isRecorded()) options.kinds = {InsightKind::Suspect};  // all that both can tell
  HEAPSCAPE_TRY(const auto lists, findInsightsOfBoth(before, after, options, progress, stop));
  const auto& [listBefore, listAfter] = lists;
  comparison.insights = compareInsights(listBefore, listAfter);
  HEAPSCAPE_CHECK(followSuspects(comparison.insights, listBefore, listAfter, before, after, stop));
  sortInsights(comparison.insights);
  comparison.insightThreshold = options.minimumBytes;
  comparison.wasteBytes = {listBefore.wasteBytes, listAfter.wasteBytes};
  comparison.leakBytes = {listBefore.leakBytes, listAfter.leakBytes};
  comparison.findings.append(listBefore.findings);
  comparison.findings.append(listAfter.findings);
  return {};
}

Outcome<void> checkStage(const Snapshot& snapshot) {
  if (snapshot.has(Stage::Retained) && !snapshot.typeRetained().empty()) return {};
  return tl::unexpected(
      Unfinished(Error{ErrorCode::NoHeap, "Dumps are compared once their retained sizes are known.", {}}));
}

}  // namespace

Outcome<Comparison> compareSnapshots(const Snapshot& before, const Snapshot& after, const ComparisonOptions& options,
                                     ProgressSink* progress, std::stop_token stop) {
  HEAPSCAPE_CHECK(checkStage(before));
  HEAPSCAPE_CHECK(checkStage(after));
  StageProgress figures(progress, "comparing figures", 0, kFiguresEnd);
  figures.report(0);
  Comparison comparison;
  comparison.before = before.summary();
  comparison.after = after.summary();
  comparison.types = compareTypes(before, after);
  comparison.findings = findComparisonGaps(before, after);
  comparison.objects = {before.totals().objects, after.totals().objects};
  comparison.bytes = {before.totals().bytes, after.totals().bytes};
  comparison.retainedBytes = {before.retainedTotals().reachableBytes, after.retainedTotals().reachableBytes};
  HEAPSCAPE_TRY(comparison.figures, compareFigures(before, after, comparison.findings, stop));
  if (options.withInsights) HEAPSCAPE_CHECK(addInsights(comparison, before, after, progress, stop));
  StageProgress layouts(progress, "comparing layouts", kInsightsEnd, 1);
  if (options.withLayouts) {
    HEAPSCAPE_TRY(comparison.layouts, compareTypeLayouts(before, after, comparison.types, layouts, stop));
  }
  layouts.report(1);
  return comparison;
}

namespace {

using TypeKey = std::pair<std::string, std::string>;  // name and assembly

TypeChange changeOf(const MatchedType& matched) {
  const TypeFigures& latest = matched.latest();
  TypeChange type;
  // A recorded heap has short names of nested types.
  const auto named =
      std::ranges::find_if(matched.dumps, [](const TypeFigures* figures) { return figures && !figures->isRecorded; });
  type.name = named == matched.dumps.end() ? latest.name : latest.isRecorded ? (*named)->name : latest.name;
  type.assembly = latest.assembly;
  type.isFree = latest.isFree;
  if (matched.isInSeveralContexts) type.loadContext = latest.loadContext;
  const auto take = [&type](const TypeFigures* figures, std::uint64_t Change::*side, std::vector<TypeId>& ids) {
    if (!figures) return;
    ids = figures->types;
    type.count.*side = figures->count;
    type.bytes.*side = figures->bytes;
    type.padding.*side = figures->padding;
    type.retained.*side = figures->retained;
    type.instanceBytes.*side = figures->instanceBytes;
  };
  const auto isRecorded = [&](std::size_t dump) { return matched.dumps[dump] && matched.dumps[dump]->isRecorded; };
  type.isRecordedBefore = isRecorded(0);
  type.isRecordedAfter = isRecorded(1);
  take(matched.dumps[0], &Change::before, type.typesBefore);
  take(matched.dumps[1], &Change::after, type.typesAfter);
  return type;
}

// Up to the first "<", for arguments have namespaces of their own.
std::string withoutNamespace(const std::string& name) {
  const std::size_t dot = std::string_view(name).substr(0, name.find('<')).rfind('.');
  return dot == std::string::npos ? name : name.substr(dot + 1);
}

}  // namespace

void guessMovedTypes(std::vector<TypeChange>& types) {
  struct Candidates {
    TypeChange* fresh = nullptr;
    const TypeChange* gone = nullptr;
    bool isAmbiguous = false;
  };
  std::map<TypeKey, Candidates> candidates;
  for (TypeChange& type : types) {
    if (type.isFree || type.isNew() == type.isGone()) continue;
    Candidates& of = candidates[{withoutNamespace(type.name), type.assembly}];
    of.isAmbiguous = of.isAmbiguous || (type.isNew() ? of.fresh != nullptr : of.gone != nullptr);
    if (type.isNew()) {
      of.fresh = &type;
    } else {
      of.gone = &type;
    }
  }
  for (const auto& [key, of] : candidates)
    if (of.fresh && of.gone && !of.isAmbiguous) of.fresh->perhapsWas = of.gone->name;
}

std::vector<TypeChange> compareTypes(const Snapshot& before, const Snapshot& after) {
  const std::vector<TypeFigures> figuresBefore = typeFiguresOf(before), figuresAfter = typeFiguresOf(after);
  std::vector<TypeChange> types;
  for (const MatchedType& matched : matchTypes(std::array{&figuresBefore, &figuresAfter})) {
    TypeChange& type = types.emplace_back(changeOf(matched));
    const Snapshot& one = type.typesAfter.empty() ? before : after;
    const std::vector<TypeId>& ids = type.typesAfter.empty() ? type.typesBefore : type.typesAfter;
    type.owner = ownerOf(one, one.types()[ids.front().value]);
  }
  guessMovedTypes(types);
  sortByGrowth(types, GrowthColumn::Bytes);
  return types;
}

namespace {

/// Collects figures of both sides under their names, in the order of their first mention.
class FigureTable {
 public:
  void setSide(bool isAfter) { m_isAfter = isAfter; }
  void count(const std::string& group, const std::string& name, std::uint64_t value) { add(group, name, value, false); }
  void bytes(const std::string& group, const std::string& name, std::uint64_t value) { add(group, name, value, true); }

  /// Groups together, each in the order in which it was first met.
  std::vector<FigureChange> take() {
    std::vector<FigureChange> figures;
    for (const std::string& group : m_groups)
      for (FigureChange& figure : m_figures)
        if (figure.group == group) figures.push_back(figure);
    return figures;
  }

 private:
  void add(const std::string& group, const std::string& name, std::uint64_t value, bool isBytes) {
    const auto [place, isNew] = m_placeOf.emplace(std::pair(group, name), m_figures.size());
    if (isNew) m_figures.push_back({.group = group, .name = name, .isBytes = isBytes, .value = {}});
    if (std::find(m_groups.begin(), m_groups.end(), group) == m_groups.end()) m_groups.push_back(group);
    Change& change = m_figures[place->second].value;
    (m_isAfter ? change.after : change.before) += value;
  }

  bool m_isAfter = false;
  std::vector<std::string> m_groups;
  std::vector<FigureChange> m_figures;
  std::map<std::pair<std::string, std::string>, std::size_t> m_placeOf;
};

std::uint64_t sumOf(const std::vector<std::uint64_t>& values) {
  std::uint64_t sum = 0;
  for (const std::uint64_t value : values) sum += value;
  return sum;
}

/// Which figures are compared: of a recorded heap, and of a dump beside one, those that such a heap tells.
struct AskedFigures {
  bool isOfMemory = true;
  bool hasHeaps = false;  // the GC's heaps are told apart
};

void addHeap(FigureTable& table, const Snapshot& snapshot, bool isOfMemory) {
  const ObjectTotals totals = snapshot.totals();
  table.count("Heap", "objects", totals.objects - totals.freeObjects);
  table.bytes("Heap", "objects, bytes", totals.bytes - totals.freeBytes);
  if (isOfMemory) {
    table.count("Heap", "free objects", totals.freeObjects);
    table.bytes("Heap", "free objects, bytes", totals.freeBytes);
  }
  const RetainedTotals reach = snapshot.retainedTotals();
  table.count("Heap", "live objects", reach.reachableObjects);
  table.bytes("Heap", "live bytes", reach.reachableBytes);
  table.count("Heap", "garbage objects", reach.garbageObjects());
  table.bytes("Heap", "garbage bytes", reach.garbageBytes());
  if (isOfMemory) table.bytes("Heap", "padding", sumOf(snapshot.typePaddingBytes()));
  table.count("Heap", "references", snapshot.referenceCount());
}

void addSegments(FigureTable& table, const Snapshot& snapshot, bool hasHeaps) {
  for (const GenerationRow& row : snapshot.generations()) {
    const std::string name =
        hasHeaps ? fmt::format("{} on heap {}", toString(row.generation), row.heap) : toString(row.generation);
    table.count("Segments", name + ", objects", row.totals.objects - row.totals.freeObjects);
    table.bytes("Segments", name + ", bytes", row.totals.bytes - row.totals.freeBytes);
    table.bytes("Segments", name + ", free bytes", row.totals.freeBytes);
  }
  for (const Segment& segment : snapshot.segments()) {
    table.count("Segments", fmt::format("{} segments", toString(segment.kind)), 1);
    table.bytes("Segments", "committed", AddressRange{segment.objects.start, segment.committedEnd}.sizeBytes());
  }
}

void addHandles(FigureTable& table, const Snapshot& snapshot, FindingList& findings) {
  for (const GcHandle& handle : readHandles(snapshot.contents().readers->runtime, false, findings))
    table.count("Handles", toString(handle.kind), 1);
}

Outcome<void> addThreads(FigureTable& table, const Snapshot& snapshot, std::stop_token stop) {
  HEAPSCAPE_TRY(const ThreadList list, listThreads(snapshot, stop));
  std::uint64_t alive = 0, background = 0, pool = 0;
  for (const ThreadRow& row : list.threads) {
    if (!row.isAlive) continue;
    ++alive;
    background += row.isBackground ? 1 : 0;
    pool += row.isThreadPool ? 1 : 0;
  }
  table.count("Threads", "managed threads", alive);
  table.count("Threads", "background threads", background);
  table.count("Threads", "thread pool threads", pool);
  table.count("Threads", "ended threads that the runtime still knows", list.threads.size() - alive);
  table.count("Threads", "threads of the operating system", snapshot.summary().dump.threads);
  return {};
}

void addModules(FigureTable& table, const Snapshot& snapshot) {
  std::uint64_t dynamic = 0, collectible = 0;
  std::map<std::string, std::uint64_t> contexts;
  for (const ModuleRow& module : snapshot.modules()) {
    dynamic += module.isDynamic ? 1 : 0;
    collectible += module.isCollectible ? 1 : 0;
    if (!module.loadContext.empty()) ++contexts[module.loadContext];
  }
  table.count("Modules", "modules", snapshot.modules().size());
  table.count("Modules", "made at run time", dynamic);
  table.count("Modules", "collectible", collectible);
  for (const auto& [context, modules] : contexts) table.count("Modules", "in load context " + context, modules);
}

Outcome<void> addProcessMemory(FigureTable& table, const Snapshot& snapshot, std::stop_token stop) {
  HEAPSCAPE_TRY(const ProcessMemory memory, processMemoryOf(snapshot, stop));
  table.bytes("Process memory", "mapped", memory.mappedBytes);
  table.bytes("Process memory", "in memory or swapped out, at least", memory.resident.atLeastBytes);
  for (const MemoryPart& part : memory.parts) table.bytes("Process memory", toString(part.owner), part.bytes);
  table.bytes("Process memory", "reserved only", memory.reservedBytes);
  return {};
}

Outcome<void> addAll(FigureTable& table, const Snapshot& snapshot, const AskedFigures& asked, FindingList& findings,
                     std::stop_token stop) {
  addHeap(table, snapshot, asked.isOfMemory);
  if (!asked.isOfMemory) return {};
  addSegments(table, snapshot, asked.hasHeaps);
  addHandles(table, snapshot, findings);
  HEAPSCAPE_CHECK(addThreads(table, snapshot, stop));
  addModules(table, snapshot);
  return addProcessMemory(table, snapshot, stop);
}

}  // namespace

Outcome<std::vector<FigureChange>> compareFigures(const Snapshot& before, const Snapshot& after, FindingList& findings,
                                                  std::stop_token stop) {
  // Heaps are told apart only if there are as many in both: by number they are the same ones.
  const std::uint32_t heaps = before.summary().runtime.heaps;
  const AskedFigures asked{.isOfMemory = !before.isRecorded() && !after.isRecorded(),
                           .hasHeaps = heaps > 1 && heaps == after.summary().runtime.heaps};
  FigureTable table;
  HEAPSCAPE_CHECK(addAll(table, before, asked, findings, stop));
  table.setSide(true);
  HEAPSCAPE_CHECK(addAll(table, after, asked, findings, stop));
  return table.take();
}

namespace {

std::uint64_t instanceBytesOf(const TypeLayout& layout) {
  return layout.componentSize ? layout.componentSize : layout.baseSize;
}

/// "+ Discount: System.Decimal at 40", "- Code", "~ Id: 16 → 24", "~ Id: System.Int32 → System.Int64".
std::string textOf(const FieldDifference& field) {
  switch (field.change) {
    case FieldChange::Added:
      return fmt::format("+ {}: {} at {}", field.name, field.typeAfter, field.offsetAfter.value_or(0));
    case FieldChange::Removed:
      return fmt::format("- {}: {} at {}", field.name, field.typeBefore, field.offsetBefore.value_or(0));
    case FieldChange::Retyped:
      return fmt::format("~ {}: {} → {}", field.name, field.typeBefore, field.typeAfter);
    case FieldChange::Resized:
      return fmt::format("~ {}: {} → {} bytes", field.name, field.sizeBefore.value_or(0), field.sizeAfter.value_or(0));
    case FieldChange::Moved:
      return fmt::format("~ {}: at {} → {}", field.name, field.offsetBefore.value_or(0), field.offsetAfter.value_or(0));
    case FieldChange::Same:
      break;
  }
  return {};
}

/// Whether the size or alignment of a vector type is the processor's.
bool dependsOnArchitecture(std::string_view type) {
  return type.starts_with("System.Numerics.Vector<") || type.starts_with("System.Runtime.Intrinsics.Vector256<") ||
         type.starts_with("System.Runtime.Intrinsics.Vector512<");
}

bool holdsSuchVector(const std::vector<LayoutField>& fields) {
  return std::ranges::any_of(fields, [](const LayoutField& field) {
    return dependsOnArchitecture(field.typeName) || holdsSuchVector(field.nested);
  });
}

bool isDeclaredTheSame(const LayoutDifference& difference) {
  return !difference.kindChanged && std::ranges::all_of(difference.fields, [](const FieldDifference& field) {
    return field.change == FieldChange::Same || field.change == FieldChange::Moved ||
           field.change == FieldChange::Resized;
  });
}

LayoutChange changeOf(const TypeChange& type, const TypeLayout& before, const TypeLayout& after,
                      const LayoutDifference& difference, const std::string& architectures) {
  LayoutChange change;
  change.type = type.name;
  change.assembly = type.assembly;
  change.methodTableBefore = before.methodTable;
  change.methodTableAfter = after.methodTable;
  change.instanceBytes = {instanceBytesOf(before), instanceBytesOf(after)};
  change.paddingBytes = {before.paddingBytes(), after.paddingBytes()};
  change.objects = type.count.after;
  for (const FieldDifference& field : difference.fields)
    if (std::string text = textOf(field); !text.empty()) change.fields.push_back(std::move(text));
  if (difference.kindChanged)
    change.fields.push_back(
        fmt::format("layout: {} → {}", toString(before.effectiveKind), toString(after.effectiveKind)));
  if (!architectures.empty() && isDeclaredTheSame(difference) &&
      (dependsOnArchitecture(before.typeName) || holdsSuchVector(before.fields)))
    change.fields.push_back("vectors of the processor: " + architectures);
  return change;
}

std::uint64_t weightOf(const LayoutChange& change) {
  return static_cast<std::uint64_t>(std::abs(change.instanceBytes.difference())) * change.objects;
}

}  // namespace

Outcome<std::vector<LayoutChange>> compareTypeLayouts(const Snapshot& before, const Snapshot& after,
                                                      const std::vector<TypeChange>& types, StageProgress& progress,
                                                      std::stop_token stop) {
  const std::string &processorBefore = before.summary().runtime.architecture,
                    &processorAfter = after.summary().runtime.architecture;
  const std::string architectures =
      processorBefore == processorAfter ? std::string() : processorBefore + " → " + processorAfter;
  std::vector<LayoutChange> changes;
  for (std::size_t i = 0; i < types.size(); ++i) {
    if (i % 256 == 0) {
      if (stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
      progress.report(static_cast<double>(i) / static_cast<double>(types.size()));
    }
    const TypeChange& type = types[i];
    if (type.isFree || type.typesBefore.empty() || type.typesAfter.empty()) continue;
    const auto layoutBefore =
        readActualLayout(before.contents().layoutSources(), before.types()[type.typesBefore.front().value].methodTable);
    const auto layoutAfter =
        readActualLayout(after.contents().layoutSources(), after.types()[type.typesAfter.front().value].methodTable);
    if (!layoutBefore || !layoutAfter) continue;
    const LayoutDifference difference = compareLayouts(*layoutBefore, *layoutAfter);
    if (!difference.isSame) changes.push_back(changeOf(type, *layoutBefore, *layoutAfter, difference, architectures));
  }
  std::stable_sort(changes.begin(), changes.end(), [](const LayoutChange& left, const LayoutChange& right) {
    return weightOf(left) != weightOf(right) ? weightOf(left) > weightOf(right) : left.type < right.type;
  });
  return changes;
}

namespace {

void add(std::map<InsightKey, InsightChange>& changes, std::map<InsightKey, InsightFigures> insights,
         std::uint64_t Change::*side) {
  for (auto& [key, insight] : insights) {
    InsightChange& change = changes[key];
    change.kind = key.kind;
    change.meaning = insight.meaning;
    change.subject = key.subject;
    change.contents = key.contents;
    change.title = std::move(insight.title);  // of the later dump, where it is in both
    change.bytes.*side = insight.bytes;
    change.objects.*side = insight.objects;
  }
}

}  // namespace

std::vector<InsightChange> compareInsights(const InsightList& before, const InsightList& after) {
  std::map<InsightKey, InsightChange> changes;
  add(changes, insightFiguresOf(before), &Change::before);
  add(changes, insightFiguresOf(after), &Change::after);
  std::vector<InsightChange> sorted;
  for (auto& [key, change] : changes) sorted.push_back(std::move(change));
  sortInsights(sorted);
  return sorted;
}

namespace {

// Modules whose types have names in `named`, but not in `unnamed`.
void addGap(const NamedModules& unnamed, const NamedModules& named, std::string_view which, FindingList& findings) {
  const std::set<std::string> modules = modulesNamedElsewhere(unnamed, named);
  if (modules.empty()) return;
  findings.add(FindingKind::MetadataMissing, {},
               fmt::format("The {} dump has no names for the types of {}, {} among them: they cannot be matched with "
                           "those of the other dump, and count as gone and new.",
                           which, countOf(modules.size(), "module"), *modules.begin()));
}

}  // namespace

FindingList findComparisonGaps(const Snapshot& before, const Snapshot& after) {
  FindingList findings;
  const NamedModules modulesBefore = namedModulesOf(before), modulesAfter = namedModulesOf(after);
  addGap(modulesBefore, modulesAfter, "earlier", findings);
  addGap(modulesAfter, modulesBefore, "later", findings);
  return findings;
}

}  // namespace heapscape::engine
