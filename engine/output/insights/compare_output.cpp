// SPDX-License-Identifier: MIT
#include "output/insights/compare_output.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>

#include "insight/comparison/comparison_tables.h"
#include "insight/trend/trend_tables.h"
#include "output/table_output.h"
#include "output/text.h"

namespace heapscape::engine {
namespace {

void writeChange(JsonWriter& json, const std::string& name, const Change& change) {
  json.member(name + "Before", change.before);
  json.member(name + "After", change.after);
}

void writeSide(JsonWriter& json, const char* name, const Summary& summary) {
  json.key(name);
  json.beginObject();
  json.member("path", summary.dump.path);
  json.member("runtime", summary.runtime.version);
  json.member("architecture", summary.runtime.architecture);
  json.member("kind", toString(summary.dump.kind));
  json.member("pid", summary.dump.pid);
  json.endObject();
}

void writeTotals(JsonWriter& json, const Comparison& comparison) {
  json.key("totals");
  json.beginObject();
  json.member("types", comparison.types.size());
  writeChange(json, "count", comparison.objects);
  writeChange(json, "bytes", comparison.bytes);
  writeChange(json, "retained", comparison.retainedBytes);
  writeChange(json, "waste", comparison.wasteBytes);
  writeChange(json, "leak", comparison.leakBytes);
  json.member("insightThreshold", comparison.insightThreshold);
  json.endObject();
}

using Align = TextTable::Align;

constexpr std::size_t kRowsOfPart = 20;  // where nobody said how many

std::string readableValue(std::uint64_t value, bool isBytes) {
  return isBytes ? readableBytes(value) : readableCount(value);
}

/// "+1.43 MB", "-12", "0".
std::string readableDifference(const Change& change, bool isBytes) {
  const std::int64_t difference = change.difference();
  if (difference == 0) return "0";
  const auto magnitude =
      difference < 0 ? 0 - static_cast<std::uint64_t>(difference) : static_cast<std::uint64_t>(difference);
  return (difference < 0 ? "-" : "+") + readableValue(magnitude, isBytes);
}

std::string headline(const char* name, const Change& change, bool isBytes) {
  return fmt::format("{}: {} → {} ({})\n", name, readableValue(change.before, isBytes),
                     readableValue(change.after, isBytes), readableDifference(change, isBytes));
}

void writeTypes(Output& output, const Comparison& comparison, GrowthColumn column, std::size_t limit) {
  const std::vector<TypeChange>& types = comparison.types;
  std::vector<TypeChange> shown;
  while (shown.size() < std::min(limit, types.size()) && growthOf(types[shown.size()], column) > 0)
    shown.push_back(types[shown.size()]);
  std::size_t shrunk = 0;
  while (shrunk < limit && shown.size() + shrunk < types.size() &&
         growthOf(types[types.size() - shrunk - 1], column) < 0)
    ++shrunk;
  shown.insert(shown.end(), types.end() - static_cast<std::ptrdiff_t>(shrunk), types.end());
  writeTableText(output, typeChangesTable().over(shown), {});
  output.write(fmt::format("{} of {}.\n", readableCount(shown.size()), countOf(types.size(), "type")));
}

void writeFigures(Output& output, const Comparison& comparison) {
  TextTable table({{"Figure"}, {"Before", Align::Right}, {"After", Align::Right}, {"Difference", Align::Right}});
  for (const FigureChange& figure : comparison.figures) {
    if (figure.value.difference() == 0) continue;
    table.addRow({fmt::format("{}: {}", figure.group, figure.name), readableValue(figure.value.before, figure.isBytes),
                  readableValue(figure.value.after, figure.isBytes), readableDifference(figure.value, figure.isBytes)});
  }
  output.write("\nFigures that have changed\n");
  table.write(output);
}

void writeInsights(Output& output, const Comparison& comparison, const RowSelection& selection) {
  std::vector<InsightChange> changed;
  std::ranges::copy_if(comparison.insights, std::back_inserter(changed), [](const InsightChange& insight) {
    return insight.bytes.difference() != 0 || insight.objects.difference() != 0;
  });
  if (changed.empty()) return;
  output.write(
      fmt::format("\nInsights that have changed, of those above {}\n", readableBytes(comparison.insightThreshold)));
  writeTableText(output, insightChangesTable().over(changed), selection);
}

void writeLayouts(Output& output, const Comparison& comparison, const RowSelection& selection) {
  if (comparison.layouts.empty()) return;
  output.write("\nTypes whose layout has changed\n");
  writeTableText(output, layoutChangesTable().over(comparison.layouts), selection);
}

}  // namespace

void writeComparison(JsonWriter& json, const Comparison& comparison, const RowSelection& selection) {
  writeSide(json, "before", comparison.before);
  writeSide(json, "after", comparison.after);
  writeTable(json, typeChangesTable().over(comparison.types), selection);
  writeTable(json, figureChangesTable().over(comparison.figures), {.isRedacted = selection.isRedacted});
  writeTable(json, insightChangesTable().over(comparison.insights), selection);
  writeTable(json, layoutChangesTable().over(comparison.layouts), selection);
  writeTotals(json, comparison);
}

void writeComparisonText(Output& output, const Comparison& comparison, GrowthColumn column,
                         const RowSelection& selection) {
  const std::size_t limit = selection.limit == SIZE_MAX ? kRowsOfPart : selection.limit;
  output.write(headline("Heap", comparison.bytes, true));
  const bool isRecorded =
      comparison.before.dump.kind == DumpKind::GcDump || comparison.after.dump.kind == DumpKind::GcDump;
  for (const TypeChange& type : comparison.types)
    if (type.isFree && !isRecorded) output.write(headline("Free in it", type.bytes, true));
  output.write(headline("Objects", objectsOf(comparison), false));
  output.write(headline("Reachable", comparison.retainedBytes, true));
  const RuntimeSummary &before = comparison.before.runtime, &after = comparison.after.runtime;
  const bool areOfOneArchitecture = before.architecture == after.architecture;
  if (isRecorded)
    output.write(
        "A .gcdump file is made after a collection, and without free objects; it does not tell the runtime.\n");
  else if (!areOfOneArchitecture)
    output.write(fmt::format("Runtime: {}, {} → {}, {}\n", before.version, before.architecture, after.version,
                             after.architecture));
  else if (before.version != after.version)
    output.write(fmt::format("Runtime: {} → {}\n", before.version, after.version));
  output.write('\n');
  writeTypes(output, comparison, column, limit);
  writeFigures(output, comparison);
  const RowSelection rows{.limit = limit, .isRedacted = selection.isRedacted};
  writeInsights(output, comparison, rows);
  writeLayouts(output, comparison, rows);
}

namespace {

constexpr std::size_t kTrendRows = 20;  // where nobody said how many

const char* headingOf(TrendList list) {
  constexpr const char* kHeadings[] = {"Types, by the bytes of their objects", "Owners, by the bytes that they hold",
                                       "Roots, by what their objects retain", "Insights, by the bytes they are about"};
  return kHeadings[static_cast<std::size_t>(list)];
}

template <class Write>
void forEachList(std::optional<TrendList> only, const Write& write) {
  for (const TrendList list : membersOf<TrendList>())
    if (!only || *only == list) write(list);
}

}  // namespace

Table tableOf(const Trend& trend, TrendList list) {
  switch (list) {
    case TrendList::Owners:
      return ownerTrendsTable().over(trend.owners);
    case TrendList::Roots:
      return rootTrendsTable().over(trend.roots);
    case TrendList::Insights:
      return insightTrendsTable().over(trend.insights);
    case TrendList::Types:
      break;
  }
  return typeTrendsTable().over(trend.types);
}

void writeTrend(JsonWriter& json, const Trend& trend, std::optional<TrendList> only, const RowSelection& selection) {
  writeTable(json, trendDumpsTable().over(trend.dumps), {});
  writeTable(json, unreadDumpsTable().over(trend.unread), {});
  json.key("notes");
  json.beginArray();
  for (const std::string& note : trend.notes) json.value(note);
  json.endArray();
  forEachList(only, [&](TrendList list) { writeTable(json, tableOf(trend, list), selection); });
}

void writeTrendText(Output& output, const Trend& trend, std::optional<TrendList> only, const RowSelection& selection) {
  writeTableText(output, trendDumpsTable().over(trend.dumps), {});
  for (const UnreadDump& dump : trend.unread)
    output.write(fmt::format("Not read: {}: {}\n", printable(dump.path), printable(dump.error.message())));
  for (const std::string& note : trend.notes) output.write(fmt::format("Note: {}\n", printable(note)));
  const std::size_t limit = selection.limit == SIZE_MAX ? kTrendRows : selection.limit;
  forEachList(only, [&](TrendList list) {
    const Table table = tableOf(trend, list);
    output.write(fmt::format("\n{}\n", headingOf(list)));
    writeTableText(output, table, {.limit = limit, .isRedacted = selection.isRedacted});
    output.write(fmt::format("{} of {} {}.\n", readableCount(std::min<std::size_t>(limit, table.rows)),
                             readableCount(table.rows), toString(list)));
  });
}

}  // namespace heapscape::engine
