// SPDX-License-Identifier: MIT
#include "output/layouts/layout_reports.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "metadata/names/type_name.h"
#include "output/table_output.h"
#include "output/text.h"
#include "tables/layout_tables.h"
#include "tables/waste_tables.h"

namespace heapscape::engine {
namespace {

void writeRows(JsonWriter& json, std::string_view name, const std::vector<LayoutCheck::Row>& rows) {
  json.key(name);
  json.beginRows();
  for (const LayoutCheck::Row& row : rows) {
    json.beginObject();
    json.member("type", metadataTypeName(row.type));
    json.member("methodTable", row.methodTable);
    json.member("what", row.what);
    json.endObject();
  }
  json.endArray();
}

void writeRows(Output& output, std::string_view title, const std::vector<LayoutCheck::Row>& rows, std::size_t limit) {
  if (rows.empty()) return;
  output.write('\n');
  TextTable table({{std::string(title)}, {"What"}});
  const std::size_t shown = std::min(limit, rows.size());
  for (const LayoutCheck::Row& row : std::span(rows).first(shown)) table.addRow({row.type, row.what});
  table.write(output);
  if (rows.size() > shown) output.write("and " + countOf(rows.size() - shown, "more type") + ".\n");
}

}  // namespace

void writeLayoutCheck(JsonWriter& json, std::string_view name, const LayoutCheck& check) {
  json.key(name);
  json.beginObject();
  json.member("compared", check.compared);
  json.member("equal", check.equal);
  writeRows(json, "different", check.different);
  writeRows(json, "notComputed", check.notComputed);
  json.endObject();
}

std::string summaryOf(const LayoutCheck& check) {
  std::string text = fmt::format("Layouts: {} of {} as the rules give them", readableCount(check.equal),
                                 countOf(check.compared, "type"));
  if (!check.notComputed.empty()) text += fmt::format(", {} could not be computed", check.notComputed.size());
  return text + '.';
}

void writeLayoutCheck(Output& output, const LayoutCheck& check, std::size_t limit) {
  output.write(summaryOf(check) + '\n');
  writeRows(output, "Different", check.different, limit);
  writeRows(output, "Not computed", check.notComputed, limit);
}

namespace {

void writeMember(JsonWriter& json, std::string_view name, const std::vector<ComparedLayout>& rows, std::size_t limit) {
  json.key(name);
  writeRows(json, comparedLayoutsTable().over(rows), {.limit = limit});
}

void writeList(Output& output, std::string_view title, const std::vector<ComparedLayout>& rows, std::size_t limit) {
  if (rows.empty()) return;
  output.write(fmt::format("\n{}\n", title));
  writeTableText(output, comparedLayoutsTable().over(rows), {.limit = limit});
  if (rows.size() > limit) output.write("and " + countOf(rows.size() - limit, "more type") + ".\n");
}

}  // namespace

void writeLayoutComparison(JsonWriter& json, const LayoutComparison& comparison, std::size_t limit) {
  json.key("comparison");
  json.beginObject();
  json.member("same", comparison.same);
  json.member("changedTypes", comparison.changed.size());
  json.member("addedTypes", comparison.added.size());
  json.member("removedTypes", comparison.removed.size());
  writeMember(json, "changed", comparison.changed, limit);
  writeMember(json, "added", comparison.added, limit);
  writeMember(json, "removed", comparison.removed, limit);
  json.key("failures");
  json.beginArray();
  for (const std::string& failure : comparison.failures) json.value(failure);
  json.endArray();
  json.endObject();
}

void writeLayoutComparison(Output& output, const LayoutComparison& comparison, std::size_t limit) {
  output.write(fmt::format("{} laid out alike, {} otherwise; {} added, {} removed.\n", countOf(comparison.same, "type"),
                           readableCount(comparison.changed.size()), readableCount(comparison.added.size()),
                           readableCount(comparison.removed.size())));
  writeList(output, "Changed", comparison.changed, limit);
  writeList(output, "Added", comparison.added, limit);
  writeList(output, "Removed", comparison.removed, limit);
  if (!comparison.failures.empty())
    output.write(countOf(comparison.failures.size(), "type") + " could not be laid out, see --json.\n");
}

namespace {

void writeSigned(JsonWriter& json, std::string_view name, std::int64_t number) {
  json.key(name);
  json.number(fmt::format("{}", number));
}

std::string readableSaving(std::int64_t bytes) {
  return bytes < 0 ? "-" + readableBytes(0 - static_cast<std::uint64_t>(bytes))
                   : readableBytes(static_cast<std::uint64_t>(bytes));
}

}  // namespace

void writeWaste(JsonWriter& json, const Waste& waste, std::optional<WasteGrouping> grouping,
                const RowSelection& selection) {
  writeTable(json, wasteTable().over(waste.rows), selection);
  if (grouping) writeTable(json, wasteGroupsTable().with(groupWaste(waste, *grouping)), selection);
  json.key("totals");
  json.beginObject();
  json.member("types", waste.rows.size());
  json.member("paddingBytes", waste.paddingBytes);
  json.member("separatedBytes", waste.separatedBytes);
  json.member("roundingBytes", waste.roundingBytes);
  json.member("arrayEndBytes", waste.arrayEndBytes);
  json.member("heapBytes", waste.heapBytes);
  writeSigned(json, "savedByAllBest", waste.savedByAllBest);
  json.member("typesNotComputed", waste.typesNotComputed);
  json.endObject();
}

void writeWasteText(Output& output, const Waste& waste, std::optional<WasteGrouping> grouping,
                    const RowSelection& selection) {
  if (grouping) {
    writeTableText(output, wasteGroupsTable().with(groupWaste(waste, *grouping)), selection);
  } else {
    writeTableText(output, wasteTable().over(waste.rows), selection);
  }
  output.write(fmt::format(
      "Padding: {} bytes, {}% of the {} bytes of all objects; {} of them behind boxed values. "
      "Behind the ends of arrays and strings lie {} bytes more.\n",
      readableCount(waste.paddingBytes), percentOf(waste.paddingBytes, waste.heapBytes), readableCount(waste.heapBytes),
      readableCount(waste.roundingBytes), readableCount(waste.arrayEndBytes)));
  output.write(fmt::format(
      "All types but the framework's declared their best together would save {}, {}% of the bytes "
      "of all objects. The declarations: heapscape-cli layout DUMP TYPE --best\n",
      readableSaving(waste.savedByAllBest),
      waste.savedByAllBest > 0 ? percentOf(static_cast<std::uint64_t>(waste.savedByAllBest), waste.heapBytes) : 0));
  if (waste.separatedBytes) {
    output.write(fmt::format(
        "{} of this padding are there on purpose, in types that are separated for processors' caches; they are not "
        "counted among what would be saved.\n",
        countOf(waste.separatedBytes, "byte")));
  }
  if (waste.typesNotComputed)
    output.write(fmt::format("Savings leave out {} whose layout cannot be computed.\n",
                             countOf(waste.typesNotComputed, "type")));
}

}  // namespace heapscape::engine
