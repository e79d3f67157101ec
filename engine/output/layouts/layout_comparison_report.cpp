// SPDX-License-Identifier: MIT
#include "output/layouts/layout_comparison_report.h"

#include <fmt/format.h>

#include "output/table_output.h"
#include "output/text.h"
#include "tables/layout_tables.h"

namespace heapscape::engine {

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

}  // namespace heapscape::engine
