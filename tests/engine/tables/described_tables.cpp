// SPDX-License-Identifier: MIT
#include "described_tables.h"

#include <algorithm>
#include <array>
#include <map>
#include <memory>

#include "insight/comparison/compare_snapshots.h"
#include "insight/comparison/comparison_tables.h"
#include "insight/insight_tables.h"
#include "insight/trend/trend_tables.h"
#include "lists/lists.h"
#include "session/heap/gc_query.h"
#include "session/layouts/declared_layouts.h"
#include "session/types/type_details.h"
#include "support/opened_snapshot.h"
#include "tables/async_tables.h"
#include "tables/cut_tables.h"
#include "tables/findings_table.h"
#include "tables/gap_tables.h"
#include "tables/gc_tables.h"
#include "tables/generic_tables.h"
#include "tables/layout_tables.h"
#include "tables/memory_table.h"
#include "tables/path_tables.h"
#include "tables/retained_tables.h"
#include "tables/type_detail_tables.h"
#include "tables/waste_tables.h"

namespace heapscape::test {

using namespace heapscape::engine;

namespace {

class Collector {
 public:
  std::vector<DescribedTable> tables;

  void add(const std::string& name, Table table) {
    tables.push_back({name, table});
    if (!table.inner) return;
    // The first rows are enough to see all that they may have.
    for (std::uint32_t row = 0; row < std::min(table.rows, 200u); ++row)
      for (const Table& inner : table.inner(row)) add(name + "." + inner.description->noun, inner);
  }

  void addGc(const GcReport& report) {
    add("gc.settings", gcSettingsTable().with(report.settings.settings));
    add("gc.collections", collectionCountsTable().with(listCollectionCounts(report)));
    add("gc.recorded", recordedCollectionsTable().with(report.figures.recorded));
    add("gc.generations", generationFiguresTable().with(listGenerationFigures(report)));
    add("gc.freeRegions", freeRegionsTable().with(report.history.freeRegions));
    add("gc.mechanisms", gcMechanismsTable().with(report.history.mechanisms));
    add("gc.finalizers", finalizerBacklogTable().with(report.finalizers.types));
  }

  // What the dumps that are read here have none of.
  void addMade() {
    add("gc.outOfMemory", outOfMemoryTable().with({OutOfMemoryRecord{.reason = 1, .allocationBytes = 1024}}));
    add("findings", findingsTable().with({Finding{FindingKind::HeapDamaged, {0x10}, "It is damaged."}}));
    WorkQueueRow queue{.name = "global", .object = {0x20}, .count = 1};
    queue.items.push_back({.object = {0x30}, .typeName = "Shop.Work", .method = "Shop.Work.Do"});
    add("queues", queuesTable().with({queue}));
    LayoutChange layout;
    layout.type = "Shop.Order";
    layout.fields = {"+ Code"};
    add("compare.layouts", layoutChangesTable().with({layout}));
    add("trend.unread", unreadDumpsTable().with({UnreadDump{"a.core", 1, {ErrorCode::NoHeap, "It has no heap."}}}));
    ComparedLayout compared;
    compared.type = "Shop.Order";
    compared.before = compared.after = {0};
    FieldDifference& moved = compared.difference.fields.emplace_back();
    moved.name = "Code";
    moved.change = FieldChange::Moved;
    add("layouts", comparedLayoutsTable().with({compared}));
  }

  void addInsights(const Snapshot& snapshot) {
    const InsightList list = findInsights(snapshot, {.minimumBytes = 100}, nullptr, {}).value();
    add("insights", insightsTable().with(list.insights));
    add("insights.groups", insightGroupsTable().with(titledGroups(list)));
    add("insights.titled", insightGroupsTable().with(titledInsights(list, kFewInsights)));
    for (const Insight& insight : list.insights) {
      add("insights.items", insightItemsTable().with(insight.items));
      add("insights.owners", insightOwnersTable().with(insight.owners));
      add("insights.facts", insightFactsTable().with(insight.facts));
    }
    const Comparison comparison = compareSnapshots(retainedDump("shop-8"), snapshot, {}, nullptr, {}).value();
    add("compare.types", typeChangesTable().with(comparison.types));
    add("compare.figures", figureChangesTable().with(comparison.figures));
    add("compare.insights", insightChangesTable().with(comparison.insights));
    add("compare.layouts", layoutChangesTable().with(comparison.layouts));
    const auto filmed = [](const Snapshot& dump) {
      return SampledDump{
          dump.summary().dump.path, std::make_shared<const DumpSample>(takeSample(dump, {}, nullptr, {}).value()), {}};
    };
    const Trend trend = trendOf(std::array{filmed(retainedDump("shop-8")), filmed(snapshot)});
    add("trend.dumps", trendDumpsTable().with(trend.dumps));
    add("trend.types", typeTrendsTable().with(trend.types));
    add("trend.owners", ownerTrendsTable().with(trend.owners));
    add("trend.roots", rootTrendsTable().with(trend.roots));
    add("trend.insights", insightTrendsTable().with(trend.insights));
  }

  void addType(const Snapshot& snapshot, const char* name) {
    const Result<Address> found = findType(snapshot, std::string(name));
    if (!found) return;
    const TypeDetails type = typeDetails(snapshot, *found).value();
    add("fields", fieldsTable().with(type.fields));
    add("methods", methodsTable().with(type.methods));
    add("parents", typeLinksTable().with(type.parents));
    add("typeArguments", typeArgumentsTable().with(type.typeArguments));
    add("parts", typePartsTable().with(type.parts));
    add("lookupPaths", lookupPathsTable().with(type.lookupPaths));
    add("dictionary", dictionaryTable().with(type.dictionary));
    add("dictionaryFigures", dictionaryFiguresTable().with({type.dictionaryFigures}));
    add("inheritedLookups", inheritedLookupsTable().with(type.inheritedLookups));
    add("methodLookups", methodLookupsTable().with(type.methodLookups));
  }
};

std::vector<DescribedTable> collect(const Snapshot& snapshot) {
  Collector collector;
  for (const List& list : allLists()) collector.add(list.name, list.read(snapshot, {}, {}).value());
  collector.addType(snapshot, "System.Collections.Generic.Dictionary<System.String, System.Object>");
  collector.addType(snapshot, "System.String");
  collector.addType(snapshot, "Lookups.EarlyRack");
  collector.addType(snapshot, "Lookups.Maker");
  collector.addGc(readGcReport(snapshot, {}).value());
  collector.addInsights(snapshot);
  const RetainedList retained = largestRetained(snapshot, 1000);
  collector.add("retained", retainedTable().with(listRetained(snapshot, retained)));
  collector.add("retained.types", retainedTypesTable().with(listRetainedTypes(snapshot, retained)));
  const Address held = retained.objects.back().object;
  const RootPathList ways = pathsToRoots(snapshot, held, {}, nullptr, {}).value();
  const Cut cut = readCut(snapshot, cutOfObject(held), {}).value();
  const WhatIf whatIf = WhatIf::ask(snapshot, {cut, cut}, nullptr, {}).value();
  collector.add("without", cutsTable().with(whatIf.cuts()));
  collector.add("freed.types", freedTypesTable().with(listFreedTypes(snapshot, whatIf.types({}).value())));
  for (const RootPath& path : ways.paths) collector.add("steps", stepsTable().with(listSteps(snapshot, path)));
  collector.add("memory.lines", memoryLinesTable().with(listMemoryLines(processMemoryOf(snapshot, {}).value(), 3)));
  collector.add("timers.equal", equalTimersTable().with(listEqualTimers(listTimers(snapshot, {}).value())));
  collector.add("queues", queuesTable().with(readThreadPool(snapshot, 10, {}).value().queues));
  collector.addMade();
  return std::move(collector.tables);
}

}  // namespace

const std::vector<DescribedTable>& describedTables(const std::string& dump) {
  static std::map<std::string, std::vector<DescribedTable>> read;
  const auto found = read.find(dump);
  return found != read.end() ? found->second : read.emplace(dump, collect(retainedDump(dump))).first->second;
}

}  // namespace heapscape::test
