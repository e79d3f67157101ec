// SPDX-License-Identifier: MIT
#include "insight/trend/trend_tables.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

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
      textColumn<Row>("trend", "Trend", "The bytes as bars, the largest the highest; a point for none.",
                      [](const Row& r) { return sparkline(r.series.judged()); })
          .notInJson(),
      choiceColumn<Row>("verdict", "Verdict", "What has become of the bytes, or of the counts of what has no bytes.",
                        ofSeries<Row>(&TrendSeries::verdict))
          .searched(),
      grownBytesColumn<Row>("slope", "Per dump",
                            "Bytes from dump to dump: slope of the straight line with the least squares.",
                            ofSeries<Row>(&TrendSeries::slope)),
      bytesColumn<Row>("first", "First", measured + " in the first dump.", ofSeries<Row>(&TrendSeries::first))
          .notInJson(),
      bytesColumn<Row>("last", "Last", measured + " in the last dump.", ofSeries<Row>(&TrendSeries::last)).notInJson(),
      grownBytesColumn<Row>("growth", "Growth", measured + ": last less first.", ofSeries<Row>(&TrendSeries::growth))
          .notInJson(),
      wordsColumn<Row>("counts", "Counts", counted + ", by dump.", ofSeries<Row>(&TrendSeries::counts)),
      wordsColumn<Row>("bytes", "Bytes", measured + ", by dump.", ofSeries<Row>(&TrendSeries::bytes))};
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

}  // namespace

std::string timeText(std::int64_t secondsSince1970) {
  return fmt::format("{:%Y-%m-%d %H:%M:%S} UTC", fmt::gmtime(static_cast<std::time_t>(secondsSince1970)));
}

const TableOf<TrendDump>& trendDumpsTable() {
  using Row = TrendDump;
  static const TableOf<Row> table{
      "dumps",
      {textColumn<Row>("path", "Dump", "Its file.", &Row::path).searched(),
       idColumn<Row>("place", "Place", "In the row as it was given, from 0.", &Row::place),
       textColumn<Row>("written", "Written", "When the file was last written: a core itself says no time.", writtenAt),
       textColumn<Row>("runtime", ".NET", "Version of the runtime.", ofRuntime(&RuntimeSummary::version)),
       textColumn<Row>("kind", "Kind", "What wrote the dump.", ofFile(&DumpSummary::kind)),
       idColumn<Row>("pid", "Process", "Its number.", ofFile(&DumpSummary::pid)),
       textColumn<Row>("command", "Program", "What the process was called.", ofFile(&DumpSummary::command)),
       countColumn<Row>("objects", "Objects", "Objects of the heap.", &Row::objects),
       bytesColumn<Row>("bytes", "Bytes", "Bytes of these.", &Row::bytes),
       bytesColumn<Row>("freeBytes", "Free", "Bytes of free objects.", &Row::freeBytes),
       bytesColumn<Row>("reachableBytes", "Reachable", "Bytes that the roots lead to.", &Row::reachableBytes),
       bytesColumn<Row>("wasteBytes", "Waste", "Of all insights about waste, each byte once.", &Row::wasteBytes),
       bytesColumn<Row>("leakBytes", "Leaks", "Of all insights about leaks, each byte once.", &Row::leakBytes)},
      {"path", "written", "runtime", "objects", "bytes", "freeBytes", "reachableBytes", "wasteBytes", "leakBytes"}};
  return table;
}

const TableOf<UnreadDump>& unreadDumpsTable() {
  using Row = UnreadDump;
  static const TableOf<Row> table{
      "unread",
      {textColumn<Row>("path", "Dump", "Its file.", &Row::path),
       idColumn<Row>("place", "Place", "In the row as it was given, from 0.", &Row::place),
       textColumn<Row>("message", "Why not", "Why it cannot be read.", [](const Row& r) { return r.error.message(); })},
      {"path", "message"}};
  return table;
}

const TableOf<TypeTrend>& typeTrendsTable() {
  using Row = TypeTrend;
  std::vector<ColumnOf<Row>> columns = withSeries<Row>(
      {typeNameColumn<Row>(&Row::name), assemblyColumn<Row>(&Row::assembly),
       textColumn<Row>("loadContext", "Load context",
                       "Where a dump has the type in several AssemblyLoadContexts: which one.",
                       [](const Row& r) { return r.loadContext.empty() ? Cell() : Cell(r.loadContext); })},
      kCountedObjects, kObjectBytes);
  columns.push_back(
      wordsColumn<Row>("retained", "Retained", "What all its objects keep alive together, by dump.", &Row::retained));
  columns.push_back(flagColumn<Row>("free", "Free", "The free objects, not a type.", &Row::isFree));
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
          {ownerKindColumn<Row>(&Row::kind),
           nameWithout<Row>("name", "Owner", "Static, type, thread or kind of handles.", &Row::name).searched()},
          "Objects that it holds, and nobody nearer to them", "Bytes of these"),
      {"trend", "verdict", "slope", "first", "last", "name"},
      {"kind", "name", "verdict", "slope", "counts", "bytes"}};
  return table;
}

const TableOf<RootTrend>& rootTrendsTable() {
  using Row = RootTrend;
  static const TableOf<Row> table{
      "roots",
      withSeries<Row>({rootKindColumn<Row>(&Row::kind),
                       nameWithout<Row>("name", "Root", "What roots of one name are called.", &Row::name).searched()},
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
                       contentsOf<Row>("contents", "Text", "Of equal strings.", &Row::contents).searched()},
                      "Objects that it is about", "Bytes that it is about");
  columns.push_back(titleWithContents<Row>("The insight, with what a string holds.", &Row::title, &Row::contents));
  static const TableOf<Row> table{
      "insights",
      std::move(columns),
      {"trend", "verdict", "slope", "first", "last", "what"},
      {"kind", "meaning", "subject", "title", "contents", "verdict", "slope", "counts", "bytes"}};
  return table;
}

}  // namespace heapscape::engine
