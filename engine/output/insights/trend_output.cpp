// SPDX-License-Identifier: MIT
#include "output/insights/trend_output.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "insight/trend/trend_tables.h"
#include "output/table_output.h"
#include "output/text.h"

namespace heapscape::engine {
namespace {

constexpr std::array kTrendLists{TrendList::Types, TrendList::Owners, TrendList::Roots, TrendList::Insights};
constexpr std::size_t kTrendRows = 20;  // where nobody said how many

const char* headingOf(TrendList list) {
  constexpr const char* kHeadings[] = {"Types, by the bytes of their objects", "Owners, by the bytes that they hold",
                                       "Roots, by what their objects retain", "Insights, by the bytes they are about"};
  return kHeadings[static_cast<std::size_t>(list)];
}

template <class Write>
void forEachList(std::optional<TrendList> only, const Write& write) {
  for (const TrendList list : kTrendLists)
    if (!only || *only == list) write(list);
}

}  // namespace

const char* toString(TrendList list) {
  constexpr const char* kNames[] = {"types", "owners", "roots", "insights"};
  return kNames[static_cast<std::size_t>(list)];
}

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
