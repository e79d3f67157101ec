// SPDX-License-Identifier: MIT
#include "output/insights/compare_text.h"

#include <fmt/format.h>

#include <cstdlib>

#include "base/given_name.h"
#include "output/text.h"
#include "output/text_table.h"
#include "output/tsv_line.h"

namespace heapscape::engine {
namespace {

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

const char* markOf(const TypeChange& type) {
  return type.isNew() ? "new" : type.isGone() ? "gone" : "";
}

void addTypeRow(TextTable& table, const TypeChange& type) {
  table.addRow(
      {readableDifference(type.bytes, true), readableBytes(type.bytes.after), readableDifference(type.count, false),
       readableCount(type.count.after), readableDifference(type.retained, true), markOf(type), type.assembly,
       type.perhapsWas.empty() ? type.name : fmt::format("{} (perhaps {} before)", type.name, type.perhapsWas)});
}

void writeTypes(Output& output, const Comparison& comparison, GrowthColumn column, std::size_t limit) {
  TextTable table({{"Bytes", Align::Right},
                   {"After", Align::Right},
                   {"Objects", Align::Right},
                   {"After", Align::Right},
                   {"Retained", Align::Right},
                   {""},
                   {"Assembly"},
                   {"Type"}});
  const std::vector<TypeChange>& types = comparison.types;
  std::size_t grown = 0;
  while (grown < types.size() && grown < limit && growthOf(types[grown], column) > 0) addTypeRow(table, types[grown++]);
  std::size_t shrunk = 0;
  while (shrunk < limit && grown + shrunk < types.size() && growthOf(types[types.size() - shrunk - 1], column) < 0)
    ++shrunk;
  for (std::size_t i = types.size() - shrunk; i < types.size(); ++i) addTypeRow(table, types[i]);
  table.write(output);
  output.write(fmt::format("{} of {}.\n", readableCount(grown + shrunk), countOf(types.size(), "type")));
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

std::string titleOf(const InsightChange& insight, bool isRedacted) {
  if (isRedacted) return withoutGivenName(insight.title);
  return insight.contents.empty() ? insight.title : fmt::format("{}: \"{}\"", insight.title, insight.contents);
}

void writeInsights(Output& output, const Comparison& comparison, std::size_t limit, bool isRedacted) {
  TextTable table({{"Bytes", Align::Right}, {"Before", Align::Right}, {"After", Align::Right}, {"Insight"}});
  std::size_t rows = 0;
  for (const InsightChange& insight : comparison.insights) {
    if (insight.bytes.difference() == 0 && insight.objects.difference() == 0) continue;
    if (rows++ == limit) break;
    table.addRow({readableDifference(insight.bytes, true), readableBytes(insight.bytes.before),
                  readableBytes(insight.bytes.after), titleOf(insight, isRedacted)});
  }
  if (rows == 0) return;
  output.write(
      fmt::format("\nInsights that have changed, of those above {}\n", readableBytes(comparison.insightThreshold)));
  table.write(output);
}

void writeLayouts(Output& output, const Comparison& comparison, std::size_t limit) {
  if (comparison.layouts.empty()) return;
  TextTable table({{"Size", Align::Right}, {"Padding", Align::Right}, {"Type"}, {"Fields"}});
  for (const LayoutChange& layout : std::span(comparison.layouts).first(std::min(limit, comparison.layouts.size()))) {
    table.addRow({fmt::format("{} → {}", layout.instanceBytes.before, layout.instanceBytes.after),
                  fmt::format("{} → {}", layout.paddingBytes.before, layout.paddingBytes.after), layout.type,
                  fmt::format("{}", fmt::join(layout.fields, "; "))});
  }
  output.write("\nTypes whose layout has changed\n");
  table.write(output);
}

}  // namespace

void writeComparisonText(Output& output, const Comparison& comparison, GrowthColumn column,
                         const RowSelection& selection) {
  const std::size_t limit = selection.limit == SIZE_MAX ? kRowsOfPart : selection.limit;
  output.write(headline("Heap", comparison.bytes, true));
  for (const TypeChange& type : comparison.types)
    if (type.isFree) output.write(headline("Free in it", type.bytes, true));
  output.write(headline("Objects", objectsOf(comparison), false));
  output.write(headline("Reachable", comparison.retainedBytes, true));
  if (comparison.before.runtime.version != comparison.after.runtime.version)
    output.write(
        fmt::format("Runtime: {} → {}\n", comparison.before.runtime.version, comparison.after.runtime.version));
  output.write('\n');
  writeTypes(output, comparison, column, limit);
  writeFigures(output, comparison);
  writeInsights(output, comparison, limit, selection.isRedacted);
  writeLayouts(output, comparison, limit);
}

void writeComparisonTsv(Output& output, const Comparison& comparison, const RowSelection& selection) {
  writeTsvLine(output, {"name", "assembly", "countBefore", "countAfter", "bytesBefore", "bytesAfter", "retainedBefore",
                        "retainedAfter", "paddingBefore", "paddingAfter", "new", "gone", "perhapsWas"});
  const auto text = [](auto number) { return fmt::format("{}", number); };
  for (const TypeChange& type : selection.of(comparison.types)) {
    if (output.hasFailed()) return;
    writeTsvLine(output, {type.name, type.assembly, text(type.count.before), text(type.count.after),
                          text(type.bytes.before), text(type.bytes.after), text(type.retained.before),
                          text(type.retained.after), text(type.padding.before), text(type.padding.after),
                          text(type.isNew()), text(type.isGone()), type.perhapsWas});
  }
}

}  // namespace heapscape::engine
