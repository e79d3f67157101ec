// SPDX-License-Identifier: MIT
#include "lists/lists.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/figures.h"
#include "insight/insight_tables.h"
#include "session/async/async_query.h"
#include "session/async/http_requests.h"
#include "session/details/exceptions_query.h"
#include "session/layouts/declared_layouts.h"
#include "session/layouts/waste_query.h"
#include "session/snapshot/heap_presence.h"
#include "session/stacks/stacks_query.h"
#include "session/threads/local_values.h"
#include "session/threads/thread_waits.h"
#include "session/threads/threads_query.h"
#include "session/types/generics_query.h"
#include "session/types/type_query.h"
#include "tables/async_tables.h"
#include "tables/exception_tables.h"
#include "tables/findings_table.h"
#include "tables/gap_tables.h"
#include "tables/gc_tables.h"
#include "tables/generic_tables.h"
#include "tables/heap_tables.h"
#include "tables/http_tables.h"
#include "tables/local_value_tables.h"
#include "tables/memory_table.h"
#include "tables/root_tables.h"
#include "tables/segment_tables.h"
#include "tables/thread_tables.h"
#include "tables/type_tables.h"
#include "tables/waste_tables.h"

namespace heapscape::engine {

namespace {

template <const auto& (*tableOf)()>
const TableDescription& descriptionOf() {
  return tableOf().description();
}

// TSV has no column of what was not asked for.
std::shared_ptr<const TableDescription> withoutRetained(const TableDescription& description) {
  auto fewer = std::make_shared<TableDescription>(description);
  std::erase(fewer->tsv, "retained");
  return fewer;
}

/// Findings of a list; that it breaks off in a dump without a heap is no damage, and said once.
FindingList findingsOf(const Snapshot& snapshot, FindingList findings) {
  if (hasHeap(snapshot) || findings.items().empty()) return findings;
  FindingList told;
  told.add(FindingKind::MemoryMissing, {},
           "A dump without the managed heap holds only a part of this list; what it lacks is left out.");
  return told;
}

Outcome<Table> readTypes(const Snapshot& snapshot, const ListOptions& options, std::stop_token stop) {
  TypeQuery query{.text = {}, .nameSpace = {}, .includeFree = options.includeGaps};
  if (options.byRetained) query.sortBy = TypeColumn::RetainedBytes;
  HEAPSCAPE_TRY(const TypeSelection selection, selectTypes(snapshot, snapshot.typeCounts(), query, std::move(stop)));
  const std::span<const TypeId> listed =
      std::span(selection.types).first(std::min(options.limit, selection.types.size()));
  std::vector<ListedType> types;
  types.reserve(listed.size());
  for (const TypeId type : listed) types.push_back(listedType(snapshot, snapshot.typeCounts(), type));
  Table table = typesTable().with(std::move(types));
  if (snapshot.typeRetained().empty()) table.description = withoutRetained(*table.description);
  // Their texts lie in the snapshot.
  table.cell = [snapshot, cell = std::move(table.cell)](std::uint32_t row, std::size_t column) {
    return cell(row, column);
  };
  return table;
}

Outcome<Table> readModules(const Snapshot& snapshot, const ListOptions&, std::stop_token) {
  return modulesTable().with(listModules(snapshot));
}

Outcome<Table> readRoots(const Snapshot& snapshot, const ListOptions&, std::stop_token stop) {
  HEAPSCAPE_TRY(HeldRoots held, listHeldRoots(snapshot, std::move(stop)));
  return rootsTable().with(std::move(held.roots), snapshot.roots().findings);
}

Outcome<Table> readHandles(const Snapshot& snapshot, const ListOptions& options, std::stop_token stop) {
  HEAPSCAPE_TRY(HandleList list, listHandles(snapshot, options.includeNull, std::move(stop)));
  if (options.handleKind)
    std::erase_if(list.handles, [&](const HandleRow& row) { return row.kind != *options.handleKind; });
  return handlesTable().with(std::move(list.handles), findingsOf(snapshot, std::move(list.findings)));
}

Outcome<Table> readThreads(const Snapshot& snapshot, const ListOptions&, std::stop_token stop) {
  HEAPSCAPE_TRY(ThreadList list, listThreads(snapshot, stop));
  HEAPSCAPE_TRY(const auto stacks, keptStacksInWords(snapshot, stop));
  addActivities(list, *stacks);
  HEAPSCAPE_TRY(const LockList locks, listLocks(snapshot, stop));
  HEAPSCAPE_TRY(const BlockedThreads blocked, listBlockedThreads(snapshot, *stacks, locks, std::move(stop)));
  addWaiting(list, blocked);
  return threadsTable().with(std::move(list.threads), findingsOf(snapshot, std::move(list.findings)));
}

Outcome<Table> readLocks(const Snapshot& snapshot, const ListOptions&, std::stop_token stop) {
  HEAPSCAPE_TRY(LockList list, listLocksWithActivities(snapshot, std::move(stop)));
  return locksTable().with(std::move(list.locks), findingsOf(snapshot, std::move(list.findings)));
}

Outcome<Table> readExceptions(const Snapshot& snapshot, const ListOptions& options, std::stop_token stop) {
  HEAPSCAPE_TRY(ExceptionList list, listExceptions(snapshot, options.each, std::move(stop)));
  return exceptionsTable().with(std::move(list.exceptions), findingsOf(snapshot, std::move(list.findings)));
}

Outcome<Table> readHttp(const Snapshot& snapshot, const ListOptions&, std::stop_token stop) {
  HEAPSCAPE_TRY(HttpRequestList list, listHttpRequests(snapshot, std::move(stop)));
  return httpTable().with(std::move(list.requests), std::move(list.findings));
}

Outcome<Table> readLocals(const Snapshot& snapshot, const ListOptions&, std::stop_token stop) {
  HEAPSCAPE_TRY(LocalValueList list, listLocalValues(snapshot, {}, std::move(stop)));
  return localsTable().with(std::move(list.values), std::move(list.findings));
}

Outcome<Table> readFinalizers(const Snapshot& snapshot, const ListOptions&, std::stop_token stop) {
  HEAPSCAPE_TRY(FinalizerList list, listFinalizers(snapshot, std::move(stop)));
  return finalizersTable().with(std::move(list.objects), std::move(list.findings));
}

Outcome<Table> readStatics(const Snapshot& snapshot, const ListOptions& options, std::stop_token stop) {
  const StaticsFilter filter{.typeText = options.typeText, .includeUninitialised = !options.onlyInitialised};
  HEAPSCAPE_TRY(StaticList list, listStatics(snapshot, filter, std::move(stop)));
  return staticsTable().with(std::move(list.statics), findingsOf(snapshot, std::move(list.findings)));
}

Outcome<Table> readStrings(const Snapshot& snapshot, const ListOptions& options, std::stop_token stop) {
  HEAPSCAPE_TRY(StringList list, listStrings(snapshot, options.text, options.limit, std::move(stop)));
  FindingList findings;
  if (list.unreadable) {
    findings.add(FindingKind::MemoryMissing, {},
                 fmt::format("The characters of {} are not in the dump.", countOf(list.unreadable, "string")));
  }
  Table table = stringsTable().with(std::move(list.groups), std::move(findings));
  table.totals = {{"strings", list.strings},
                  {"bytes", list.bytes, true},
                  {"distinct", list.distinct},
                  {"wastedBytes", list.wastedBytes, true},
                  {"unreadable", list.unreadable}};
  return table;
}

Outcome<Table> readSegments(const Snapshot& snapshot, const ListOptions&, std::stop_token) {
  return segmentsTable().with(listSegments(snapshot));
}

Outcome<Table> readGenerations(const Snapshot& snapshot, const ListOptions&, std::stop_token) {
  return listGenerations(snapshot);
}

Outcome<Table> readGenerics(const Snapshot& snapshot, const ListOptions& options, std::stop_token stop) {
  HEAPSCAPE_TRY(std::vector<GenericDefinition> definitions, listGenerics(snapshot, options.typeText, std::move(stop)));
  Table table = genericsTable().with(std::move(definitions));
  table.showsInner = !options.typeText.empty();
  return table;
}

Outcome<Table> readMemory(const Snapshot& snapshot, const ListOptions&, std::stop_token stop) {
  HEAPSCAPE_TRY(ProcessMemory memory, processMemoryOf(snapshot, std::move(stop)));
  return memoryTable().with(std::move(memory.parts));
}

Outcome<Table> readGaps(const Snapshot& snapshot, const ListOptions&, std::stop_token stop) {
  HEAPSCAPE_TRY(const GcReport report, readGcReport(snapshot, std::move(stop)));
  return gapsTable().with(listGaps(report), report.findings);
}

Outcome<Table> readPins(const Snapshot& snapshot, const ListOptions&, std::stop_token stop) {
  HEAPSCAPE_TRY(GcReport report, readGcReport(snapshot, std::move(stop)));
  return pinsTable().with(std::move(report.pins), std::move(report.findings));
}

Outcome<Table> readWaste(const Snapshot& snapshot, const ListOptions&, std::stop_token stop) {
  HEAPSCAPE_TRY(const DeclaredLayouts layouts, DeclaredLayouts::ofDump(snapshot));
  HEAPSCAPE_TRY(Waste waste, wasteOf(snapshot, layouts, nullptr, std::move(stop)));
  return wasteTable().with(std::move(waste.rows));
}

Outcome<Table> readChains(const Snapshot& snapshot, const ListOptions&, std::stop_token stop) {
  HEAPSCAPE_TRY(const AsyncList list, listAsync(snapshot, {}, std::move(stop)));
  return chainsTable().with(listChains(list), list.findings);
}

Outcome<Table> readTimers(const Snapshot& snapshot, const ListOptions&, std::stop_token stop) {
  HEAPSCAPE_TRY(TimerList list, listTimers(snapshot, std::move(stop)));
  return timersTable().with(std::move(list.timers), std::move(list.findings));
}

Outcome<Table> readInsights(const Snapshot& snapshot, const ListOptions&, std::stop_token stop) {
  HEAPSCAPE_TRY(InsightList list, findInsights(snapshot, {}, nullptr, std::move(stop)));
  return insightsTable().with(std::move(list.insights), std::move(list.findings));
}

Outcome<Table> readFindings(const Snapshot& snapshot, const ListOptions&, std::stop_token) {
  return findingsTable().with(snapshot.findings());
}

constexpr std::array kTypesOptions{ListOption::ByRetained};
constexpr std::array kGenericsOptions{ListOption::DefinitionText};
constexpr std::array kHandlesOptions{ListOption::IncludeNull, ListOption::HandleKind};
constexpr std::array kStaticsOptions{ListOption::TypeText, ListOption::OnlyInitialised};
constexpr std::array kStringsOptions{ListOption::Text};
constexpr std::array kExceptionsOptions{ListOption::Each};

constexpr std::array kLists{
    List{"segments",
         "Segments and regions of the heap, with what lies in them",
         Stage::Objects,
         false,
         HeapUse::Memory,
         {},
         descriptionOf<segmentsTable>,
         readSegments},
    List{"generations",
         "Objects and free space by generation and heap",
         Stage::Objects,
         false,
         HeapUse::Memory,
         {},
         descriptionOf<generationsTable>,
         readGenerations},
    List{"types", "Types on the heap, the largest first", Stage::Layouts, true, HeapUse::Graph, kTypesOptions,
         descriptionOf<typesTable>, readTypes},
    List{"generics", "Generic types, what was made of each, and what it costs", Stage::Objects, false,
         HeapUse::Assemblies, kGenericsOptions, descriptionOf<genericsTable>, readGenerics},
    List{"modules",
         "Assemblies that the process had loaded",
         Stage::Segments,
         false,
         HeapUse::Assemblies,
         {},
         descriptionOf<modulesTable>,
         readModules},
    List{"roots",
         "What keeps objects alive from outside the heap, by name",
         Stage::Retained,
         false,
         HeapUse::Graph,
         {},
         descriptionOf<rootsTable>,
         readRoots},
    List{"handles", "GC handles of every kind, by kind", Stage::Retained, false, HeapUse::Optional, kHandlesOptions,
         descriptionOf<handlesTable>, readHandles},
    List{"threads",
         "Threads of the runtime, their state and exception",
         Stage::Retained,
         false,
         HeapUse::Optional,
         {},
         descriptionOf<threadsTable>,
         readThreads},
    List{"locks",
         "Locks of every kind, who holds and awaits them, and deadlocks",
         Stage::Objects,
         false,
         HeapUse::Assemblies,
         {},
         descriptionOf<locksTable>,
         readLocks},
    List{"locals",
         "Values of each ThreadLocal by thread, and of each AsyncLocal by the contexts that hold them",
         Stage::Retained,
         false,
         HeapUse::Fields,
         {},
         descriptionOf<localsTable>,
         readLocals},
    List{"http",
         "Requests in flight of HttpClient and Kestrel",
         Stage::Retained,
         false,
         HeapUse::Fields,
         {},
         descriptionOf<httpTable>,
         readHttp},
    List{"exceptions", "Exceptions of the heap, equal ones together, those in flight first", Stage::Retained, false,
         HeapUse::Optional, kExceptionsOptions, descriptionOf<exceptionsTable>, readExceptions},
    List{"finalizers",
         "Objects with a finalizer that has not run",
         Stage::Retained,
         false,
         HeapUse::Memory,
         {},
         descriptionOf<finalizersTable>,
         readFinalizers},
    List{"statics", "Static fields with their values, thread statics for each thread", Stage::Retained, false,
         HeapUse::Optional, kStaticsOptions, descriptionOf<staticsTable>, readStatics},
    List{"strings", "Strings by their characters, those that waste most first", Stage::Objects, false, HeapUse::Memory,
         kStringsOptions, descriptionOf<stringsTable>, readStrings},
    List{"memory",
         "Where the memory of the whole process is, by owner",
         Stage::Objects,
         false,
         HeapUse::Optional,
         {},
         descriptionOf<memoryTable>,
         readMemory},
    List{"gaps",
         "Types whose objects stand behind free objects, by generation",
         Stage::Objects,
         false,
         HeapUse::Memory,
         {},
         descriptionOf<gapsTable>,
         readGaps},
    List{"pins",
         "Objects that are pinned, by who pins them",
         Stage::Objects,
         false,
         HeapUse::Memory,
         {},
         descriptionOf<pinsTable>,
         readPins},
    List{"waste",
         "What the layouts of types cost, and what better ones would save",
         Stage::Layouts,
         false,
         HeapUse::Fields,
         {},
         descriptionOf<wasteTable>,
         readWaste},
    List{"chains",
         "Async methods that have not ended, who awaits whom",
         Stage::Retained,
         false,
         HeapUse::Fields,
         {},
         descriptionOf<chainsTable>,
         readChains},
    List{"timers",
         "Timers that are scheduled, the soonest first",
         Stage::Objects,
         false,
         HeapUse::Fields,
         {},
         descriptionOf<timersTable>,
         readTimers},
    List{"insights",
         "What wastes memory or leaks, and what would win it back",
         Stage::Retained,
         false,
         HeapUse::Graph,
         {},
         descriptionOf<insightsTable>,
         readInsights},
    List{"findings",
         "What is wrong with the dump",
         Stage::Objects,
         false,
         HeapUse::Any,
         {},
         descriptionOf<findingsTable>,
         readFindings},
};

}  // namespace

std::span<const List> allLists() {
  return kLists;
}

const List* findList(std::string_view name) {
  const auto found = std::ranges::find(kLists, name, &List::name);
  return found == kLists.end() ? nullptr : &*found;
}

}  // namespace heapscape::engine
