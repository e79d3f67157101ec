// SPDX-License-Identifier: MIT
#include "tables/gc_tables.h"

#include <array>

namespace heapscape::engine {

namespace {

ColumnOf<GcSetting> settingValue() {
  using Row = GcSetting;
  ColumnOf<Row> value = column<Row>(
      {.name = "value", .title = "Value", .meaning = "As it was written.", .isSearched = true, .holdsContents = true},
      &Row::value);
  // A path or a list may say more than its owner would give away.
  value.redacted = [](const Row& r) { return r.number ? Cell(r.value) : Cell(Cell::Unknown{}); };
  return value;
}

const TableOf<RecordedGeneration>& recordedGenerationsTable() {
  using Row = RecordedGeneration;
  static const TableOf<Row> table = TableOf<Row>{
      "generations",
      {column<Row>({.name = "sizeBefore",
                    .title = "Before",
                    .meaning = "Bytes of the generation before it, without free objects.",
                    .kind = ColumnKind::Bytes},
                   &Row::sizeBefore),
       column<Row>({.name = "fragmentationBefore",
                    .title = "Free before",
                    .meaning = "Bytes of free objects before it.",
                    .kind = ColumnKind::Bytes},
                   &Row::fragmentationBefore),
       column<Row>({.name = "sizeAfter",
                    .title = "After",
                    .meaning = "Bytes of the generation after it, without free objects.",
                    .kind = ColumnKind::Bytes},
                   &Row::sizeAfter),
       column<Row>({.name = "fragmentationAfter",
                    .title = "Free after",
                    .meaning = "Bytes of free objects after it.",
                    .kind = ColumnKind::Bytes},
                   &Row::fragmentationAfter)},
      {}}.onOneLine();
  return table;
}

std::vector<ColumnOf<RecordedCollection>> collectionColumns() {
  using Row = RecordedCollection;
  return {
      column<Row>({.name = "index", .title = "Number", .meaning = "Number of the collection.", .kind = ColumnKind::Id},
                  &Row::index),
      column<Row>({.name = "generation",
                   .title = "Gen",
                   .meaning = "The oldest generation that it took.",
                   .kind = ColumnKind::Id},
                  &Row::generation),
      column<Row>({.name = "compacting",
                   .title = "Compacting",
                   .meaning = "It has moved objects together.",
                   .kind = ColumnKind::Flag},
                  &Row::isCompacting),
      column<Row>({.name = "background",
                   .title = "Background",
                   .meaning = "It ran beside the program.",
                   .kind = ColumnKind::Flag},
                  &Row::isBackground),
      column<Row>({.name = "heapBytes",
                   .title = "Heap after",
                   .meaning = "Objects and free objects after it.",
                   .kind = ColumnKind::Bytes},
                  &Row::heapSizeBytes),
      column<Row>({.name = "fragmentedBytes",
                   .title = "Fragmented",
                   .meaning = "Free objects, of the heap after it.",
                   .kind = ColumnKind::Bytes},
                  &Row::fragmentedBytes),
      column<Row>(
          {.name = "committedBytes", .title = "Committed", .meaning = "Memory of the heap.", .kind = ColumnKind::Bytes},
          &Row::committedBytes),
      column<Row>({.name = "promotedBytes",
                   .title = "Promoted",
                   .meaning = "What survived in the generations that it took.",
                   .kind = ColumnKind::Bytes},
                  &Row::promotedBytes),
      column<Row>({.name = "pinnedObjects",
                   .title = "Pinned",
                   .meaning = "Objects that it met pinned.",
                   .kind = ColumnKind::Count,
                   .hidesZero = true},
                  &Row::pinnedObjects),
      column<Row>({.name = "finalizationPending",
                   .title = "To finalize",
                   .meaning = "Objects that waited for the finalizer.",
                   .kind = ColumnKind::Count,
                   .hidesZero = true},
                  &Row::finalizationPending),
      column<Row>({.name = "memoryLoadPercent",
                   .title = "Memory load",
                   .meaning = "Percent of the machine's memory that was in use.",
                   .kind = ColumnKind::Id},
                  &Row::memoryLoadPercent),
      column<Row>({.name = "pauseTimePercent",
                   .title = "Paused",
                   .meaning = "Percent of all time that pauses have taken.",
                   .kind = ColumnKind::Percent},
                  [](const Row& r) { return static_cast<double>(r.pausePercent); }),
      column<Row>({.name = "pauseMicroseconds",
                   .title = "Pauses",
                   .meaning = "How long each pause took, in microseconds.",
                   .kind = ColumnKind::Words},
                  [](const Row& r) { return Cell::Numbers(r.pauseMicroseconds.begin(), r.pauseMicroseconds.end()); }),
      column<Row>({.name = "how",
                   .title = "How",
                   .meaning = "Beside the program, moving objects together, or making free objects of what is dead.",
                   .kind = ColumnKind::Choice,
                   .choices = namesOf<CollectionManner>(),
                   .isInJson = false},
                  mannerOf),
      column<Row>({.name = "pause",
                   .title = "Pause, µs",
                   .meaning = "How long the program stood still, in microseconds.",
                   .kind = ColumnKind::Count,
                   .isInJson = false},
                  pauseOf)};
}

}  // namespace

CollectionManner mannerOf(const RecordedCollection& collection) {
  if (collection.isBackground) return CollectionManner::Background;
  return collection.isCompacting ? CollectionManner::Compacting : CollectionManner::Sweeping;
}

std::uint64_t pauseOf(const RecordedCollection& collection) {
  return collection.pauseMicroseconds[0] + collection.pauseMicroseconds[1];
}

const TableOf<GcSetting>& gcSettingsTable() {
  using Row = GcSetting;
  static const TableOf<Row> table = TableOf<Row>{
      "asked",
      {column<Row>({.name = "name", .title = "Setting", .meaning = "The GC's own name of it.", .isSearched = true},
                   &Row::name),
       settingValue(),
       column<Row>({.name = "number",
                    .title = "Number",
                    .meaning = "What it means; the environment is read as hexadecimal.",
                    .kind = ColumnKind::Id},
                   &Row::number),
       column<Row>({.name = "from",
                    .title = "Source",
                    .meaning = "Where the setting was made.",
                    .kind = ColumnKind::Choice,
                    .choices = namesOf<GcSettingSource>()},
                   &Row::source),
       column<Row>({.name = "key",
                    .title = "From",
                    .meaning = "Environment variable, or name in the configuration.",
                    .isSearched = true},
                   &Row::key),
       column<Row>({.name = "overruled",
                    .title = "Overruled",
                    .meaning = "The environment goes before the configuration.",
                    .kind = ColumnKind::Flag},
                   &Row::isOverruled)},
      {"name", "value", "key",
       "overruled"}}.onOneLine();
  return table;
}

const TableOf<RecordedCollection>& recordedCollectionsTable() {
  using Row = RecordedCollection;
  static const TableOf<Row> table =
      TableOf<Row>{
          "recorded",
          collectionColumns(),
          {"index", "generation", "how", "heapBytes", "fragmentedBytes", "promotedBytes", "pinnedObjects", "pause"}}
          .onOneLine()
          .having([](const Row& row) { return std::vector{recordedGenerationsTable().with(row.generations)}; });
  return table;
}

std::vector<CollectionCount> listCollectionCounts(const GcReport& report) {
  std::vector<CollectionCount> counts;
  for (const std::uint64_t count : report.collectionCounts())
    counts.push_back({static_cast<std::uint32_t>(counts.size()), count});
  return counts;
}

const TableOf<CollectionCount>& collectionCountsTable() {
  using Row = CollectionCount;
  static const TableOf<Row> table = TableOf<Row>{
      "collections",
      {column<Row>({.name = "generation",
                    .title = "Generation",
                    .meaning = "0 to 2; counted with collections of older ones.",
                    .kind = ColumnKind::Id},
                   &Row::generation),
       column<Row>({.name = "count",
                    .title = "Collections",
                    .meaning = "How many there were.",
                    .kind = ColumnKind::Count,
                    .isAdditive = true},
                   &Row::count)},
      {}}.onOneLine();
  return table;
}

const TableOf<PinGroup>& pinsTable() {
  using Row = PinGroup;
  static const TableOf<Row> table = TableOf<Row>{
      "pins",
      {column<Row>({.name = "by", .title = "Pinned by", .meaning = "A kind of handle, or a stack.", .isSearched = true},
                   &Row::kind),
       column<Row>(
           {.name = "holder",
            .title = "Held in",
            .meaning = "The type of an object that keeps the handle, or the method that pins; empty if not known.",
            .kind = ColumnKind::TypeName,
            .isSearched = true},
           &Row::holder),
       column<Row>({.name = "type",
                    .title = "Type",
                    .meaning = "Of the pinned objects.",
                    .kind = ColumnKind::TypeName,
                    .isSearched = true},
                   &Row::typeName),
       column<Row>({.name = "objects", .title = "Objects", .meaning = "How many there are.", .kind = ColumnKind::Count},
                   &Row::objects),
       column<Row>({.name = "bytes",
                    .title = "Bytes",
                    .meaning = "What they take up.",
                    .kind = ColumnKind::Bytes,
                    .isAdditive = true},
                   &Row::bytes),
       column<Row>({.name = "example",
                    .title = "One of them",
                    .meaning = "The first of them.",
                    .kind = ColumnKind::Address,
                    .isSearched = true},
                   &Row::example)},
      {"by", "holder", "type", "objects", "bytes",
       "example"}}.onOneLine();
  return table;
}

const TableOf<OutOfMemoryRecord>& outOfMemoryTable() {
  using Row = OutOfMemoryRecord;
  static const TableOf<Row> table = TableOf<Row>{
      "outOfMemory",
      {column<Row>({.name = "heap", .title = "Heap", .meaning = "Number of the GC's heap.", .kind = ColumnKind::Id},
                   &Row::heap),
       column<Row>({.name = "reason", .title = "Reason", .meaning = "Why the allocation failed."},
                   [](const Row& r) { return outOfMemoryReason(r.reason); }),
       column<Row>({.name = "allocationBytes",
                    .title = "Asked for",
                    .meaning = "Bytes of the allocation; 0 if none was asked for.",
                    .kind = ColumnKind::Bytes},
                   &Row::allocationBytes),
       column<Row>({.name = "afterCollection",
                    .title = "After collection",
                    .meaning = "Number of the collection that it happened after.",
                    .kind = ColumnKind::Id},
                   &Row::gcIndex),
       column<Row>({.name = "large",
                    .title = "Large",
                    .meaning = "In the large or pinned object heap.",
                    .kind = ColumnKind::Flag},
                   &Row::isLarge),
       column<Row>(
           {.name = "memoryFailure", .title = "Memory failure", .meaning = "What the operating system did not give."},
           [](const Row& r) { return getMemoryFailure(r.getMemoryFailure); }),
       column<Row>({.name = "failedBytes",
                    .title = "Failed",
                    .meaning = "Bytes that could not be reserved or committed.",
                    .kind = ColumnKind::Bytes},
                   &Row::failedBytes),
       column<Row>({.name = "availablePagefileMb",
                    .title = "Page file, MB",
                    .meaning = "What the page file had left.",
                    .kind = ColumnKind::Count},
                   &Row::availablePagefileMb),
       column<Row>({.name = "text", .title = "What it is", .meaning = "The same as a sentence."},
                   [](const Row& r) { return describe(r); })},
      {"text"}}.onOneLine();
  return table;
}

const TableOf<FreeRegions>& freeRegionsTable() {
  using Row = FreeRegions;
  static const TableOf<Row> table = TableOf<Row>{
      "freeRegions",
      {column<Row>({.name = "list", .title = "List", .meaning = "Whose the list is: a heap, or all."}, &Row::list),
       column<Row>({.name = "kind", .title = "Kind", .meaning = "Size of the regions."}, &Row::kind),
       column<Row>({.name = "waitsFor", .title = "Waiting for", .meaning = "Use or release."},
                   [](const Row& r) { return r.isForRelease ? "release" : "use"; }),
       column<Row>({.name = "regions", .title = "Regions", .meaning = "How many there are.", .kind = ColumnKind::Count},
                   &Row::regions),
       column<Row>({.name = "bytes",
                    .title = "Bytes",
                    .meaning = "What they span.",
                    .kind = ColumnKind::Bytes,
                    .isAdditive = true},
                   &Row::bytes),
       column<Row>({.name = "committedBytes",
                    .title = "Committed",
                    .meaning = "Memory that they still have.",
                    .kind = ColumnKind::Bytes},
                   &Row::committedBytes)},
      {}}.onOneLine();
  return table;
}

const TableOf<GcMechanismCount>& gcMechanismsTable() {
  using Row = GcMechanismCount;
  static const TableOf<Row> table = TableOf<Row>{
      "mechanisms",
      {column<Row>({.name = "heap", .title = "Heap", .meaning = "Number of the GC's heap.", .kind = ColumnKind::Id},
                   &Row::heap),
       column<Row>({.name = "kind",
                    .title = "Kind",
                    .meaning = "Reason to compact, to expand, a mechanism, or collections of the whole process."},
                   &Row::kind),
       column<Row>({.name = "name", .title = "Name", .meaning = "Which one."}, &Row::name),
       column<Row>({.name = "count",
                    .title = "Times",
                    .meaning = "In how many blocking collections.",
                    .kind = ColumnKind::Count,
                    .isAdditive = true},
                   &Row::count)},
      {"kind", "name", "heap", "count"}}.onOneLine();
  return table;
}

const TableOf<FinalizerBacklog::Type>& finalizerBacklogTable() {
  using Row = FinalizerBacklog::Type;
  static const TableOf<Row> table = TableOf<Row>{
      "types",
      {column<Row>({.name = "type",
                    .title = "Type",
                    .meaning = "Of the objects.",
                    .kind = ColumnKind::TypeName,
                    .isSearched = true},
                   &Row::typeName),
       column<Row>({.name = "objects",
                    .title = "Objects",
                    .meaning = "That wait for the finalizer thread.",
                    .kind = ColumnKind::Count},
                   &Row::objects),
       column<Row>({.name = "bytes",
                    .title = "Bytes",
                    .meaning = "What they take up.",
                    .kind = ColumnKind::Bytes,
                    .isAdditive = true},
                   &Row::bytes)},
      {"objects", "bytes", "type"}}.onOneLine();
  return table;
}

}  // namespace heapscape::engine
