// SPDX-License-Identifier: MIT
#include "tables/segment_tables.h"

#include <array>
#include <cmath>
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
  return {column<Row>({.name = "objects",
                       .title = "With free objects",
                       .meaning = "Objects, free objects among them.",
                       .kind = ColumnKind::Count,
                       .isAdditive = true},
                      &Row::objects),
          column<Row>({.name = "bytes",
                       .title = "Bytes with free objects",
                       .meaning = "What objects and free objects take up.",
                       .kind = ColumnKind::Bytes,
                       .isAdditive = true},
                      &Row::bytes),
          column<Row>({.name = "freeObjects",
                       .title = "Free objects",
                       .meaning = "Free blocks that the GC formats as objects.",
                       .kind = ColumnKind::Count,
                       .isAdditive = true},
                      &Row::freeObjects),
          column<Row>({.name = "freeBytes",
                       .title = "Free",
                       .meaning = "What free objects take up.",
                       .kind = ColumnKind::Bytes,
                       .isAdditive = true},
                      &Row::freeBytes)};
}

// As people read them, without free objects.
std::vector<ColumnOf<ObjectTotals>> objectColumns() {
  using Row = ObjectTotals;
  return {column<Row>({.name = "count",
                       .title = "Objects",
                       .meaning = "Objects without free objects.",
                       .kind = ColumnKind::Count,
                       .isAdditive = true,
                       .isInJson = false},
                      [](const Row& r) { return r.objects - r.freeObjects; }),
          column<Row>({.name = "objectBytes",
                       .title = "Bytes",
                       .meaning = "What objects take up.",
                       .kind = ColumnKind::Bytes,
                       .isAdditive = true,
                       .isInJson = false},
                      [](const Row& r) { return r.bytes - r.freeBytes; }),
          column<Row>({.name = "freeShare",
                       .title = "Free %",
                       .meaning = "Part of the bytes that free objects take up, 0 to 1.",
                       .kind = ColumnKind::Share,
                       .isInJson = false},
                      [](const Row& r) { return shareOf(r.freeBytes, r.bytes); })};
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
      {column<Row>({.name = "generation",
                    .title = "Generation",
                    .meaning = "Which generation.",
                    .kind = ColumnKind::Choice,
                    .choices = namesOf<Generation>()},
                   &Row::generation),
       column<Row>({.name = "start", .title = "Start", .meaning = "Where it begins.", .kind = ColumnKind::Address},
                   [](const Row& r) { return r.range.start; }),
       column<Row>({.name = "end", .title = "End", .meaning = "Where it ends.", .kind = ColumnKind::Address},
                   [](const Row& r) {
                     return r.range.end;
                   })}}.onOneLine();
  return table;
}

std::vector<ColumnOf<ListedSegment>> segmentColumns() {
  using Row = ListedSegment;
  const auto of = [](auto member) { return [member](const Row& r) { return r.segment.*member; }; };
  const auto totalsOf = [](const Row& r) -> const ObjectTotals& { return r.contents.totals; };
  std::vector<ColumnOf<Row>> columns{
      column<Row>({.name = "address",
                   .title = "Segment",
                   .meaning = "Address of the runtime's heap_segment.",
                   .kind = ColumnKind::Address,
                   .isSearched = true},
                  of(&Segment::address)),
      column<Row>({.name = "kind",
                   .title = "Kind",
                   .meaning = "What the segment is used for.",
                   .kind = ColumnKind::Choice,
                   .choices = namesOf<SegmentKind>(),
                   .isSearched = true},
                  of(&Segment::kind)),
      heapColumn<Row>(of(&Segment::heap)),
      column<Row>({.name = "start",
                   .title = "Start",
                   .meaning = "Where objects begin.",
                   .kind = ColumnKind::Address,
                   .isSearched = true},
                  [](const Row& r) { return r.segment.objects.start; }),
      column<Row>({.name = "end", .title = "End", .meaning = "Where objects end.", .kind = ColumnKind::Address},
                  [](const Row& r) { return r.segment.objects.end; }),
      column<Row>({.name = "committedEnd",
                   .title = "Committed up to",
                   .meaning = "Where the memory ends that the GC has asked for.",
                   .kind = ColumnKind::Address},
                  of(&Segment::committedEnd)),
      column<Row>({.name = "reservedEnd",
                   .title = "Reserved up to",
                   .meaning = "Where the addresses end that are set aside for it.",
                   .kind = ColumnKind::Address},
                  of(&Segment::reservedEnd))};
  append(columns, totalsOfRow<Row>(totalColumns(), totalsOf));
  append(columns,
         {column<Row>({.name = "unreadBytes",
                       .title = "Unread",
                       .meaning = "Bytes that were not read as objects that hold up.",
                       .kind = ColumnKind::Bytes,
                       .isAdditive = true,
                       .hidesZero = true},
                      [](const Row& r) { return r.contents.unreadBytes; }),
          column<Row>({.name = "coverage",
                       .title = "Read",
                       .meaning = "Part of its bytes that was read as objects that hold up, 0 to 1.",
                       .kind = ColumnKind::Share},
                      [](const Row& r) { return coverageCell(r.segment.objects.sizeBytes(), r.contents.unreadBytes); }),
          column<Row>({.name = "doubtfulBytes",
                       .title = "Doubtful",
                       .meaning = "Bytes of arrays that may lie over other objects.",
                       .kind = ColumnKind::Bytes,
                       .hidesZero = true},
                      [](const Row& r) { return r.contents.doubtfulBytes; }),
          column<Row>({.name = "committed",
                       .title = "Committed",
                       .meaning = "Bytes that the GC has asked for.",
                       .kind = ColumnKind::Bytes,
                       .isInJson = false},
                      [](const Row& r) {
                        return AddressRange{r.segment.objects.start, r.segment.committedEnd}.sizeBytes();
                      }),
          column<Row>({.name = "reserved",
                       .title = "Reserved",
                       .meaning = "Bytes of addresses that are set aside for it.",
                       .kind = ColumnKind::Bytes,
                       .isInJson = false},
                      [](const Row& r) {
                        return AddressRange{r.segment.objects.start, r.segment.reservedEnd}.sizeBytes();
                      })});
  append(columns, totalsOfRow<Row>(objectColumns(), totalsOf));
  return columns;
}

std::vector<ColumnOf<ListedGeneration>> generationColumns() {
  using Row = ListedGeneration;
  std::vector<ColumnOf<Row>> columns{
      generationColumn<Row>([](const Row& r) { return r.generation ? Cell(*r.generation) : Cell("all"); }),
      heapColumn<Row>(&Row::heap)};
  append(columns, columnsOfPart(totalColumns(), &Row::totals));
  append(columns, {column<Row>({.name = "unreadBytes",
                                .title = "Unread",
                                .meaning = "Bytes that were not read as objects that hold up.",
                                .kind = ColumnKind::Bytes,
                                .hidesZero = true},
                               &Row::unreadBytes),
                   column<Row>({.name = "coverage",
                                .title = "Read",
                                .meaning = "Part of its bytes that was read as objects that hold up, 0 to 1.",
                                .kind = ColumnKind::Share},
                               [](const Row& r) { return coverageCell(r.wholeBytes, r.unreadBytes); })});
  append(columns, columnsOfPart(objectColumns(), &Row::totals));
  return columns;
}

}  // namespace

std::vector<ListedSegment> listSegments(const Snapshot& snapshot) {
  std::vector<ListedSegment> segments;
  for (std::size_t i = 0; i < snapshot.segments().size(); ++i)
    segments.push_back({snapshot.segments()[i], snapshot.segmentContents()[i]});
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
  for (const GenerationRow& row : snapshot.generations())
    generations.push_back({row.generation, row.heap, row.totals, row.wholeBytes, row.unreadBytes});
  generations.push_back({.generation = {}, .heap = {}, .totals = snapshot.totals()});
  Table table = generationsTable().with(std::move(generations));
  table.hasSum = true;
  --table.rows;
  return table;
}

}  // namespace heapscape::engine
