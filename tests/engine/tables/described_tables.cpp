// SPDX-License-Identifier: MIT
#include "described_tables.h"

#include <algorithm>

#include "session/heap/gc_query.h"
#include "session/types/type_details.h"
#include "tables/gap_tables.h"
#include "tables/gc_tables.h"
#include "tables/generic_tables.h"
#include "tables/lists.h"
#include "tables/type_tables.h"

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
    // No dump of a failure is at hand.
    add("gc.outOfMemory", outOfMemoryTable().with({OutOfMemoryRecord{.reason = 1, .allocationBytes = 1024}}));
  }

  void addType(const Snapshot& snapshot, const char* name) {
    const Result<Address> found = findType(snapshot, name);
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

}  // namespace

std::vector<DescribedTable> describedTables(const Snapshot& snapshot) {
  Collector collector;
  for (const List& list : allLists()) collector.add(list.name, list.read(snapshot, {}, {}).value());
  collector.addType(snapshot, "System.Collections.Generic.Dictionary<System.String, System.Object>");
  collector.addType(snapshot, "System.String");
  collector.addType(snapshot, "Lookups.EarlyRack");
  collector.addType(snapshot, "Lookups.Maker");
  collector.addGc(readGcReport(snapshot, {}).value());
  return std::move(collector.tables);
}

}  // namespace heapscape::test
