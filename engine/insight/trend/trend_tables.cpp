// SPDX-License-Identifier: MIT
#include "insight/trend/trend_tables.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <array>
#include <ctime>

#include "insight/insight_tables.h"
#include "tables/common_columns.h"
#include "tables/root_tables.h"

namespace heapscape::engine {
namespace {

template <class Row, class Of>
auto ofSeries(Of of) {
  return [of](const Row& row) { return std::invoke(of, row.series); };
}

/// Columns of all rows of a trend. `counted` and `measured` say of what the counts and bytes are.
template <class Row>
std::vector<ColumnOf<Row>> seriesColumns(const std::string& counted, const std::string& measured) {
  return {
      column<Row>({.name = "trend",
                   .title = "Trend",
                   .meaning = "The bytes as bars, the largest the highest; a point for none.",
                   .isInJson = false},
                  [](const Row& r) { return sparkline(r.series.judged()); }),
      column<Row>({.name = "verdict",
                   .title = "Verdict",
                   .meaning = "What has become of the bytes, or of the counts of what has no bytes.",
                   .kind = ColumnKind::Choice,
                   .choices = namesOf<TrendVerdict>(),
                   .isSearched = true},
                  ofSeries<Row>(&TrendSeries::verdict)),
      column<Row>({.name = "slope",
                   .title = "Per dump",
                   .meaning = "Bytes from dump to dump: slope of the straight line with the least squares.",
                   .kind = ColumnKind::GrownBytes},
                  ofSeries<Row>(&TrendSeries::slope)),
      column<Row>({.name = "first",
                   .title = "First",
                   .meaning = measured + " in the first dump.",
                   .kind = ColumnKind::Bytes,
                   .isInJson = false},
                  ofSeries<Row>(&TrendSeries::first)),
      column<Row>({.name = "last",
                   .title = "Last",
                   .meaning = measured + " in the last dump.",
                   .kind = ColumnKind::Bytes,
                   .isInJson = false},
                  ofSeries<Row>(&TrendSeries::last)),
      column<Row>({.name = "growth",
                   .title = "Growth",
                   .meaning = measured + ": last less first.",
                   .kind = ColumnKind::GrownBytes,
                   .isInJson = false},
                  ofSeries<Row>(&TrendSeries::growth)),
      column<Row>({.name = "counts", .title = "Counts", .meaning = counted + ", by dump.", .kind = ColumnKind::Words},
                  ofSeries<Row>(&TrendSeries::counts)),
      column<Row>({.name = "bytes", .title = "Bytes", .meaning = measured + ", by dump.", .kind = ColumnKind::Words},
                  ofSeries<Row>(&TrendSeries::bytes))};
}

template <class Row>
std::vector<ColumnOf<Row>> withSeries(std::vector<ColumnOf<Row>> columns, const std::string& counted,
                                      const std::string& measured) {
  for (ColumnOf<Row>& column : seriesColumns<Row>(counted, measured)) columns.push_back(std::move(column));
  return columns;
}

constexpr const char* kCountedObjects = "Its objects";
constexpr const char* kObjectBytes = "Bytes of its objects";

Cell writtenAt(const TrendDump& dump) {
  return dump.written ? Cell(timeText(*dump.written)) : Cell(Cell::Unknown{});
}

template <class Member>
auto ofRuntime(Member RuntimeSummary::*member) {
  return [member](const TrendDump& dump) { return dump.summary.runtime.*member; };
}
template <class Member>
auto ofFile(Member DumpSummary::*member) {
  return [member](const TrendDump& dump) { return dump.summary.dump.*member; };
}

ColumnOf<TrendDump> figureOfDump(const char* name, const char* title, const char* meaning, ColumnKind kind,
                                 std::uint64_t TrendDump::*figure) {
  return column<TrendDump>({.name = name, .title = title, .meaning = meaning, .kind = kind}, figure);
}

}  // namespace

std::string timeText(std::int64_t secondsSince1970) {
  return fmt::format("{:%Y-%m-%d %H:%M:%S} UTC", fmt::gmtime(static_cast<std::time_t>(secondsSince1970)));
}

const TableOf<TrendDump>& trendDumpsTable() {
  using Row = TrendDump;
  static const TableOf<Row> table{
      "dumps",
      {column<Row>({.name = "path", .title = "Dump", .meaning = "Its file.", .isSearched = true}, &Row::path),
       column<Row>({.name = "place",
                    .title = "Place",
                    .meaning = "In the row as it was given, from 0.",
                    .kind = ColumnKind::Id},
                   &Row::place),
       column<Row>({.name = "written",
                    .title = "Written",
                    .meaning = "When the file was last written: a core itself says no time."},
                   writtenAt),
       column<Row>({.name = "runtime", .title = ".NET", .meaning = "Version of the runtime."},
                   ofRuntime(&RuntimeSummary::version)),
       column<Row>({.name = "kind", .title = "Kind", .meaning = "What wrote the dump."}, ofFile(&DumpSummary::kind)),
       column<Row>({.name = "pid", .title = "Process", .meaning = "Its number.", .kind = ColumnKind::Id},
                   ofFile(&DumpSummary::pid)),
       column<Row>({.name = "command", .title = "Program", .meaning = "What the process was called."},
                   ofFile(&DumpSummary::command)),
       figureOfDump("objects", "Objects", "Objects of the heap.", ColumnKind::Count, &Row::objects),
       figureOfDump("bytes", "Bytes", "Bytes of these.", ColumnKind::Bytes, &Row::bytes),
       figureOfDump("freeBytes", "Free", "Bytes of free objects.", ColumnKind::Bytes, &Row::freeBytes),
       figureOfDump("reachableBytes", "Reachable", "Bytes that the roots lead to.", ColumnKind::Bytes,
                    &Row::reachableBytes),
       figureOfDump("wasteBytes", "Waste", "Of all insights about waste, each byte once.", ColumnKind::Bytes,
                    &Row::wasteBytes),
       figureOfDump("leakBytes", "Leaks", "Of all insights about leaks, each byte once.", ColumnKind::Bytes,
                    &Row::leakBytes)},
      {"path", "written", "runtime", "objects", "bytes", "freeBytes", "reachableBytes", "wasteBytes", "leakBytes"}};
  return table;
}

const TableOf<UnreadDump>& unreadDumpsTable() {
  using Row = UnreadDump;
  static const TableOf<Row> table{
      "unread",
      {column<Row>({.name = "path", .title = "Dump", .meaning = "Its file."}, &Row::path),
       column<Row>({.name = "place",
                    .title = "Place",
                    .meaning = "In the row as it was given, from 0.",
                    .kind = ColumnKind::Id},
                   &Row::place),
       column<Row>({.name = "message", .title = "Why not", .meaning = "Why it cannot be read."},
                   [](const Row& r) { return r.error.message(); })},
      {"path", "message"}};
  return table;
}

const TableOf<TypeTrend>& typeTrendsTable() {
  using Row = TypeTrend;
  std::vector<ColumnOf<Row>> columns =
      withSeries<Row>({typeNameColumn<Row>(&Row::name), assemblyColumn<Row>(&Row::assembly),
                       column<Row>({.name = "loadContext",
                                    .title = "Load context",
                                    .meaning = "Where a dump has the type in several AssemblyLoadContexts: which one."},
                                   [](const Row& r) { return r.loadContext.empty() ? Cell() : Cell(r.loadContext); })},
                      kCountedObjects, kObjectBytes);
  columns.push_back(column<Row>({.name = "retained",
                                 .title = "Retained",
                                 .meaning = "What all its objects keep alive together, by dump.",
                                 .kind = ColumnKind::Words},
                                &Row::retained));
  columns.push_back(column<Row>(
      {.name = "free", .title = "Free", .meaning = "The free objects, not a type.", .kind = ColumnKind::Flag},
      &Row::isFree));
  static const TableOf<Row> table{"types",
                                  std::move(columns),
                                  {"trend", "verdict", "slope", "first", "last", "type"},
                                  {"type", "assembly", "verdict", "slope", "counts", "bytes", "retained"}};
  return table;
}

const TableOf<OwnerTrend>& ownerTrendsTable() {
  using Row = OwnerTrend;
  static const TableOf<Row> table{
      "owners",
      withSeries<Row>(
          {ownerKindColumn<Row>(&Row::kind), nameWithout<Row>({.name = "name",
                                                               .title = "Owner",
                                                               .meaning = "Static, type, thread or kind of handles.",
                                                               .isSearched = true},
                                                              &Row::name)},
          "Objects that it holds, and nobody nearer to them", "Bytes of these"),
      {"trend", "verdict", "slope", "first", "last", "name"},
      {"kind", "name", "verdict", "slope", "counts", "bytes"}};
  return table;
}

const TableOf<RootTrend>& rootTrendsTable() {
  using Row = RootTrend;
  static const TableOf<Row> table{
      "roots",
      withSeries<Row>(
          {rootKindColumn<Row>(&Row::kind),
           nameWithout<Row>(
               {.name = "name", .title = "Root", .meaning = "What roots of one name are called.", .isSearched = true},
               &Row::name)},
          "Roots of this name", "What the objects that they lead to retain"),
      {"trend", "verdict", "slope", "first", "last", "name"},
      {"kind", "name", "verdict", "slope", "counts", "bytes"}};
  return table;
}

const TableOf<InsightTrend>& insightTrendsTable() {
  using Row = InsightTrend;
  std::vector<ColumnOf<Row>> columns =
      withSeries<Row>({insightKindColumn<Row>(&Row::kind), insightMeaningColumn<Row>(&Row::meaning),
                       insightTitleColumn<Row>("Insight", &Row::title), insightSubjectColumn<Row>(&Row::subject),
                       contentsOf<Row>({.name = "contents",
                                        .title = "Text",
                                        .meaning = "Of equal strings.",
                                        .isSearched = true,
                                        .holdsContents = true},
                                       &Row::contents)},
                      "Objects that it is about", "Bytes that it is about");
  columns.push_back(titleWithContents<Row>({.name = "what",
                                            .title = "What",
                                            .meaning = "The insight, with what a string holds.",
                                            .holdsContents = true,
                                            .isInJson = false},
                                           &Row::title, &Row::contents));
  static const TableOf<Row> table{
      "insights",
      std::move(columns),
      {"trend", "verdict", "slope", "first", "last", "what"},
      {"kind", "meaning", "subject", "title", "contents", "verdict", "slope", "counts", "bytes"}};
  return table;
}

}  // namespace heapscape::engine
