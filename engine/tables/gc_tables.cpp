// SPDX-License-Identifier: MIT
#include "tables/gc_tables.h"

namespace heapscape::engine {

namespace {

const TableOf<RecordedGeneration>& recordedGenerationsTable() {
  using Row = RecordedGeneration;
  static const TableOf<Row> table = TableOf<Row>{
      "generations",
      {bytesColumn<Row>("sizeBefore", "Before", "Bytes of the generation before it, without free objects.",
                        &Row::sizeBefore),
       bytesColumn<Row>("fragmentationBefore", "Free before", "Bytes of free objects before it.",
                        &Row::fragmentationBefore),
       bytesColumn<Row>("sizeAfter", "After", "Bytes of the generation after it, without free objects.",
                        &Row::sizeAfter),
       bytesColumn<Row>("fragmentationAfter", "Free after", "Bytes of free objects after it.",
                        &Row::fragmentationAfter)},
      {}}.onOneLine();
  return table;
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
      {textColumn<Row>("name", "Setting", "The GC's own name of it.", &Row::name).searched(),
       // A path or a list may say more than its owner would give away.
       textColumn<Row>("value", "Value", "As it was written.", &Row::value)
           .searched()
           .contents()
           .redactedTo([](const Row& r) { return r.number ? Cell(r.value) : Cell(Cell::Unknown{}); }),
       idColumn<Row>("number", "Number", "What it means; the environment is read as hexadecimal.", &Row::number),
       choiceColumn<Row>("from", "Source", "Where the setting was made.", &Row::source),
       textColumn<Row>("key", "From", "Environment variable, or name in the configuration.", &Row::key).searched(),
       flagColumn<Row>("overruled", "Overruled", "The environment goes before the configuration.", &Row::isOverruled)},
      {"name", "value", "key",
       "overruled"}}.onOneLine();
  return table;
}

const TableOf<RecordedCollection>& recordedCollectionsTable() {
  using Row = RecordedCollection;
  static const TableOf<Row> table =
      TableOf<Row>{
          "recorded",
          {idColumn<Row>("index", "Number", "Number of the collection.", &Row::index),
           idColumn<Row>("generation", "Gen", "The oldest generation that it took.", &Row::generation),
           flagColumn<Row>("compacting", "Compacting", "It has moved objects together.", &Row::isCompacting),
           flagColumn<Row>("background", "Background", "It ran beside the program.", &Row::isBackground),
           bytesColumn<Row>("heapBytes", "Heap after", "Objects and free objects after it.", &Row::heapSizeBytes),
           bytesColumn<Row>("fragmentedBytes", "Fragmented", "Free objects, of the heap after it.",
                            &Row::fragmentedBytes),
           bytesColumn<Row>("committedBytes", "Committed", "Memory of the heap.", &Row::committedBytes),
           bytesColumn<Row>("promotedBytes", "Promoted", "What survived in the generations that it took.",
                            &Row::promotedBytes),
           countColumn<Row>("pinnedObjects", "Pinned", "Objects that it met pinned.", &Row::pinnedObjects).hidingZero(),
           countColumn<Row>("finalizationPending", "To finalize", "Objects that waited for the finalizer.",
                            &Row::finalizationPending)
               .hidingZero(),
           idColumn<Row>("memoryLoadPercent", "Memory load", "Percent of the machine's memory that was in use.",
                         &Row::memoryLoadPercent),
           percentColumn<Row>("pauseTimePercent", "Paused", "Percent of all time that pauses have taken.",
                              [](const Row& r) { return static_cast<double>(r.pausePercent); }),
           wordsColumn<Row>(
               "pauseMicroseconds", "Pauses", "How long each pause took, in microseconds.",
               [](const Row& r) { return Cell::Numbers(r.pauseMicroseconds.begin(), r.pauseMicroseconds.end()); }),
           choiceColumn<Row>("how", "How",
                             "Beside the program, moving objects together, or making free objects of what is dead.",
                             mannerOf)
               .notInJson(),
           countColumn<Row>("pause", "Pause, µs", "How long the program stood still, in microseconds.", pauseOf)
               .notInJson()},
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
      {idColumn<Row>("generation", "Generation", "0 to 2; counted with collections of older ones.", &Row::generation),
       countColumn<Row>("count", "Collections", "How many there were.", &Row::count).additive()},
      {}}.onOneLine();
  return table;
}

const TableOf<PinGroup>& pinsTable() {
  using Row = PinGroup;
  static const TableOf<Row> table = TableOf<Row>{
      "pins",
      {textColumn<Row>("by", "Pinned by", "A kind of handle, or a stack.", &Row::kind).searched(),
       typeColumn<Row>("holder", "Held in",
                       "The type of an object that keeps the handle, or the method that pins; empty if not known.",
                       &Row::holder)
           .searched(),
       typeColumn<Row>("type", "Type", "Of the pinned objects.", &Row::typeName).searched(),
       countColumn<Row>("objects", "Objects", "How many there are.", &Row::objects),
       bytesColumn<Row>("bytes", "Bytes", "What they take up.", &Row::bytes).additive(),
       addressColumn<Row>("example", "One of them", "The first of them.", &Row::example).searched()},
      {"by", "holder", "type", "objects", "bytes",
       "example"}}.onOneLine();
  return table;
}

const TableOf<OutOfMemoryRecord>& outOfMemoryTable() {
  using Row = OutOfMemoryRecord;
  static const TableOf<Row> table = TableOf<Row>{
      "outOfMemory",
      {idColumn<Row>("heap", "Heap", "Number of the GC's heap.", &Row::heap),
       textColumn<Row>("reason", "Reason", "Why the allocation failed.",
                       [](const Row& r) { return outOfMemoryReason(r.reason); }),
       bytesColumn<Row>("allocationBytes", "Asked for", "Bytes of the allocation; 0 if none was asked for.",
                        &Row::allocationBytes),
       idColumn<Row>("afterCollection", "After collection", "Number of the collection that it happened after.",
                     &Row::gcIndex),
       flagColumn<Row>("large", "Large", "In the large or pinned object heap.", &Row::isLarge),
       textColumn<Row>("memoryFailure", "Memory failure", "What the operating system did not give.",
                       [](const Row& r) { return getMemoryFailure(r.getMemoryFailure); }),
       bytesColumn<Row>("failedBytes", "Failed", "Bytes that could not be reserved or committed.", &Row::failedBytes),
       countColumn<Row>("availablePagefileMb", "Page file, MB", "What the page file had left.",
                        &Row::availablePagefileMb),
       textColumn<Row>("text", "What it is", "The same as a sentence.", [](const Row& r) { return describe(r); })},
      {"text"}}.onOneLine();
  return table;
}

const TableOf<FreeRegions>& freeRegionsTable() {
  using Row = FreeRegions;
  static const TableOf<Row> table = TableOf<Row>{
      "freeRegions",
      {textColumn<Row>("list", "List", "Whose the list is: a heap, or all.", &Row::list),
       textColumn<Row>("kind", "Kind", "Size of the regions.", &Row::kind),
       textColumn<Row>("waitsFor", "Waiting for", "Use or release.",
                       [](const Row& r) { return r.isForRelease ? "release" : "use"; }),
       countColumn<Row>("regions", "Regions", "How many there are.", &Row::regions),
       bytesColumn<Row>("bytes", "Bytes", "What they span.", &Row::bytes).additive(),
       bytesColumn<Row>("committedBytes", "Committed", "Memory that they still have.", &Row::committedBytes)},
      {}}.onOneLine();
  return table;
}

const TableOf<GcMechanismCount>& gcMechanismsTable() {
  using Row = GcMechanismCount;
  static const TableOf<Row> table = TableOf<Row>{
      "mechanisms",
      {idColumn<Row>("heap", "Heap", "Number of the GC's heap.", &Row::heap),
       textColumn<Row>("kind", "Kind",
                       "Reason to compact, to expand, a mechanism, or collections of the whole process.", &Row::kind),
       textColumn<Row>("name", "Name", "Which one.", &Row::name),
       countColumn<Row>("count", "Times", "In how many blocking collections.", &Row::count).additive()},
      {"kind", "name", "heap", "count"}}.onOneLine();
  return table;
}

const TableOf<FinalizerBacklog::Type>& finalizerBacklogTable() {
  using Row = FinalizerBacklog::Type;
  static const TableOf<Row> table = TableOf<Row>{
      "types",
      {typeColumn<Row>("type", "Type", "Of the objects.", &Row::typeName).searched(),
       countColumn<Row>("objects", "Objects", "That wait for the finalizer thread.", &Row::objects),
       bytesColumn<Row>("bytes", "Bytes", "What they take up.", &Row::bytes).additive()},
      {"objects", "bytes", "type"}}.onOneLine();
  return table;
}

}  // namespace heapscape::engine
