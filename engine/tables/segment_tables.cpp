// SPDX-License-Identifier: MIT
#include "tables/segment_tables.h"

#include <cmath>
#include <functional>
#include <iterator>
#include <utility>

#include "tables/common_columns.h"

namespace heapscape::engine {

namespace {

double shareOf(std::uint64_t part, std::uint64_t whole) {
  return whole ? static_cast<double>(part) / static_cast<double>(whole) : 0;
}

// JSON has six decimals; what is not whole must not look so.
double coverageCell(std::uint64_t wholeBytes, std::uint64_t unreadBytes) {
  return std::floor(coverageOf(wholeBytes, unreadBytes) * 1e6) / 1e6;
}

// As JSON has them, where free objects count.
std::vector<ColumnOf<ObjectTotals>> totalColumns() {
  using Row = ObjectTotals;
  return {
      countColumn<Row>("objects", "With free objects", "Objects, free objects among them.", &Row::objects).additive(),
      bytesColumn<Row>("bytes", "Bytes with free objects", "What objects and free objects take up.", &Row::bytes)
          .additive(),
      countColumn<Row>("freeObjects", "Free objects", "Free blocks that the GC formats as objects.", &Row::freeObjects)
          .additive(),
      bytesColumn<Row>("freeBytes", "Free", "What free objects take up.", &Row::freeBytes).additive()};
}

// As people read them, without free objects.
std::vector<ColumnOf<ObjectTotals>> objectColumns() {
  using Row = ObjectTotals;
  return {
      countColumn<Row>("count", "Objects", "Objects without free objects.",
                       [](const Row& r) { return r.objects - r.freeObjects; })
          .additive()
          .notInJson(),
      bytesColumn<Row>("objectBytes", "Bytes", "What objects take up.",
                       [](const Row& r) { return r.bytes - r.freeBytes; })
          .additive()
          .notInJson(),
      shareColumn<Row>("freeShare", "Free %", "Part of the bytes that free objects take up, 0 to 1.", [](const Row& r) {
        return shareOf(r.freeBytes, r.bytes);
      }).notInJson()};
}

// Of what roots lead to, and of what they do not.
template <class Row>
std::vector<ColumnOf<Row>> reachColumns() {
  const auto of = [](auto member) {
    return [member](const Row& r) { return r.reach ? Cell(std::invoke(member, *r.reach)) : Cell(Cell::Unknown{}); };
  };
  return {
      bytesColumn<Row>("live", "Live", "What the objects take up that roots lead to.",
                       of(&RetainedTotals::reachableBytes))
          .additive()
          .notInJson(),
      bytesColumn<Row>("garbage", "Garbage",
                       "What the objects take up that no root leads to: not collected yet. Frozen ones never are.",
                       of(&RetainedTotals::garbageBytes))
          .additive()
          .notInJson(),
      countColumn<Row>("garbageObjects", "Garbage objects", "How many objects no root leads to, without frozen ones.",
                       of(&RetainedTotals::garbageObjects))
          .additive()
          .notInJson()};
}

template <class Row>
void append(std::vector<ColumnOf<Row>>& to, std::vector<ColumnOf<Row>> more) {
  std::ranges::move(more, std::back_inserter(to));
}

template <class Row, class Part>
std::vector<ColumnOf<Row>> totalsOfRow(std::vector<ColumnOf<ObjectTotals>> columns, const Part& totalsOf) {
  std::vector<ColumnOf<Row>> all;
  for (ColumnOf<ObjectTotals>& each : columns)
    all.push_back({std::move(each.column),
                   [totalsOf, value = std::move(each.value)](const Row& row) { return value(totalsOf(row)); },
                   {}});
  return all;
}

const TableOf<GenerationRange>& generationRangesTable() {
  using Row = GenerationRange;
  static const TableOf<Row> table = TableOf<Row>{
      "generations",
      {choiceColumn<Row>("generation", "Generation", "Which generation.", &Row::generation),
       addressColumn<Row>("start", "Start", "Where it begins.", [](const Row& r) { return r.range.start; }),
       addressColumn<Row>("end", "End", "Where it ends.", [](const Row& r) {
         return r.range.end;
       })}}.onOneLine();
  return table;
}

std::vector<ColumnOf<ListedSegment>> segmentColumns() {
  using Row = ListedSegment;
  const auto of = [](auto member) { return [member](const Row& r) { return r.segment.*member; }; };
  const auto totalsOf = [](const Row& r) -> const ObjectTotals& { return r.contents.totals; };
  std::vector<ColumnOf<Row>> columns{
      addressColumn<Row>("address", "Segment", "Address of the runtime's heap_segment.", of(&Segment::address))
          .searched(),
      choiceColumn<Row>("kind", "Kind", "What the segment is used for.", of(&Segment::kind)).searched(),
      heapColumn<Row>(of(&Segment::heap)),
      addressColumn<Row>("start", "Start", "Where objects begin.", [](const Row& r) { return r.segment.objects.start; })
          .searched(),
      addressColumn<Row>("end", "End", "Where objects end.", [](const Row& r) { return r.segment.objects.end; }),
      addressColumn<Row>("committedEnd", "Committed up to", "Where the memory ends that the GC has asked for.",
                         of(&Segment::committedEnd)),
      addressColumn<Row>("reservedEnd", "Reserved up to", "Where the addresses end that are set aside for it.",
                         of(&Segment::reservedEnd))};
  append(columns, totalsOfRow<Row>(totalColumns(), totalsOf));
  append(columns,
         {bytesColumn<Row>("unreadBytes", "Unread", "Bytes that were not read as objects that hold up.",
                           [](const Row& r) { return r.contents.unreadBytes; })
              .additive()
              .hidingZero(),
          shareColumn<Row>(
              "coverage", "Read", "Part of its bytes that was read as objects that hold up, 0 to 1.",
              [](const Row& r) { return coverageCell(r.segment.objects.sizeBytes(), r.contents.unreadBytes); }),
          bytesColumn<Row>("doubtfulBytes", "Doubtful", "Bytes of arrays that may lie over other objects.",
                           [](const Row& r) { return r.contents.doubtfulBytes; })
              .hidingZero(),
          bytesColumn<Row>("committed", "Committed", "Bytes that the GC has asked for.",
                           [](const Row& r) {
                             return AddressRange{r.segment.objects.start, r.segment.committedEnd}.sizeBytes();
                           })
              .notInJson(),
          bytesColumn<Row>("reserved", "Reserved", "Bytes of addresses that are set aside for it.", [](const Row& r) {
            return AddressRange{r.segment.objects.start, r.segment.reservedEnd}.sizeBytes();
          }).notInJson()});
  append(columns, totalsOfRow<Row>(objectColumns(), totalsOf));
  append(columns, reachColumns<Row>());
  return columns;
}

std::vector<ColumnOf<ListedGeneration>> generationColumns() {
  using Row = ListedGeneration;
  std::vector<ColumnOf<Row>> columns{
      generationColumn<Row>([](const Row& r) { return r.generation ? Cell(*r.generation) : Cell("all"); }),
      heapColumn<Row>(&Row::heap)};
  append(columns, columnsOfPart(totalColumns(), &Row::totals));
  append(
      columns,
      {bytesColumn<Row>("unreadBytes", "Unread", "Bytes that were not read as objects that hold up.", &Row::unreadBytes)
           .hidingZero(),
       shareColumn<Row>("coverage", "Read", "Part of its bytes that was read as objects that hold up, 0 to 1.",
                        [](const Row& r) { return coverageCell(r.wholeBytes, r.unreadBytes); })});
  append(columns, columnsOfPart(objectColumns(), &Row::totals));
  append(columns, reachColumns<Row>());
  return columns;
}

std::optional<RetainedTotals> reachAt(const std::vector<RetainedTotals>& parts, std::size_t part) {
  return part < parts.size() ? std::optional(parts[part]) : std::nullopt;
}

}  // namespace

std::vector<ListedSegment> listSegments(const Snapshot& snapshot) {
  std::vector<ListedSegment> segments;
  for (std::size_t i = 0; i < snapshot.segments().size(); ++i)
    segments.push_back({snapshot.segments()[i], snapshot.segmentContents()[i], reachAt(snapshot.segmentReach(), i)});
  return segments;
}

const TableOf<ListedSegment>& segmentsTable() {
  static const TableOf<ListedSegment> table = TableOf<ListedSegment>{
      "segments",
      segmentColumns(),
      {"kind", "heap", "start", "end", "count", "objectBytes", "freeBytes", "coverage", "committed",
       "reserved"}}.having([](const ListedSegment& listed) {
    return std::vector{generationRangesTable().with(listed.segment.generations)};
  });
  return table;
}

const TableOf<ListedGeneration>& generationsTable() {
  static const TableOf<ListedGeneration> table{
      "generations",
      generationColumns(),
      {"generation", "heap", "count", "objectBytes", "freeObjects", "freeBytes", "freeShare"}};
  return table;
}

Table listGenerations(const Snapshot& snapshot) {
  std::vector<ListedGeneration> generations;
  for (std::size_t i = 0; i < snapshot.generations().size(); ++i) {
    const GenerationRow& row = snapshot.generations()[i];
    generations.push_back({row.generation, row.heap, row.totals, row.wholeBytes, row.unreadBytes,
                           reachAt(snapshot.generationReach(), i)});
  }
  generations.push_back({.generation = {}, .heap = {}, .totals = snapshot.totals()});
  if (snapshot.has(Stage::Retained)) generations.back().reach = snapshot.retainedTotals();
  Table table = generationsTable().with(std::move(generations));
  table.hasSum = true;
  --table.rows;
  return table;
}

}  // namespace heapscape::engine
