// SPDX-License-Identifier: MIT
#include "output/layouts/layout_comparison_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "metadata/names/type_name_forms.h"
#include "output/text.h"
#include "output/text_table.h"

namespace heapscape::engine {

namespace {

std::span<const ComparedLayout> firstOf(const std::vector<ComparedLayout>& rows, std::size_t limit) {
  return std::span(rows).first(std::min(limit, rows.size()));
}

void writeFields(JsonWriter& json, const std::vector<FieldDifference>& fields) {
  json.key("fields");
  json.beginArray();
  for (const FieldDifference& field : fields) {
    if (field.change == FieldChange::Same) continue;
    json.beginObject();
    json.member("declaringType", metadataTypeName(field.declaringType));
    json.member("name", field.name);
    json.member("change", toString(field.change));
    json.member("offsetBefore", field.offsetBefore);
    json.member("offsetAfter", field.offsetAfter);
    json.member("sizeBefore", field.sizeBefore);
    json.member("sizeAfter", field.sizeAfter);
    json.member("typeBefore", metadataTypeName(field.typeBefore));
    json.member("typeAfter", metadataTypeName(field.typeAfter));
    json.endObject();
  }
  json.endArray();
}

void writeRows(JsonWriter& json, std::string_view name, std::span<const ComparedLayout> rows) {
  json.key(name);
  json.beginRows();
  for (const ComparedLayout& row : rows) {
    json.beginObject();
    json.member("type", metadataTypeName(row.type));
    json.member("name", row.type);
    json.member("assembly", row.assembly);
    if (!row.before.isNone()) {
      json.member("sizeBefore", row.instanceBytesBefore);
      json.member("paddingBefore", row.paddingBefore);
    }
    if (!row.after.isNone()) {
      json.member("sizeAfter", row.instanceBytesAfter);
      json.member("paddingAfter", row.paddingAfter);
    }
    if (!row.before.isNone() && !row.after.isNone()) {
      json.member("kindChanged", row.difference.kindChanged);
      writeFields(json, row.difference.fields);
    }
    json.endObject();
  }
  json.endArray();
}

std::string offsetText(const std::optional<std::uint32_t>& offset) {
  return offset ? std::to_string(*offset) : "-";
}

/// "Total moved 8 → 16, Tax added at 24", the first few.
std::string fieldsText(const ComparedLayout& row) {
  constexpr std::size_t kShown = 4;
  std::string text;
  std::size_t count = 0;
  for (const FieldDifference& field : row.difference.fields) {
    if (field.change == FieldChange::Same) continue;
    if (++count > kShown) continue;
    if (!text.empty()) text += ", ";
    text += fmt::format("{} {}", field.name, toString(field.change));
    if (field.offsetBefore != field.offsetAfter)
      text += fmt::format(" {} → {}", offsetText(field.offsetBefore), offsetText(field.offsetAfter));
  }
  if (count > kShown) text += fmt::format(" and {} more", count - kShown);
  if (text.empty()) text = row.difference.kindChanged ? "other layout kind" : "paddings or references";
  return text;
}

void writeChanged(Output& output, const LayoutComparison& comparison, std::size_t limit) {
  if (comparison.changed.empty()) return;
  using Align = TextTable::Align;
  TextTable table({{"Changed"}, {"Size", Align::Right}, {"Padding", Align::Right}, {"Fields"}});
  for (const ComparedLayout& row : firstOf(comparison.changed, limit)) {
    table.addRow({row.type, fmt::format("{} → {}", row.instanceBytesBefore, row.instanceBytesAfter),
                  fmt::format("{} → {}", row.paddingBefore, row.paddingAfter), fieldsText(row)});
  }
  table.write(output);
}

void writeOneSided(Output& output, std::string_view title, const std::vector<ComparedLayout>& rows, bool isBefore,
                   std::size_t limit) {
  if (rows.empty()) return;
  using Align = TextTable::Align;
  output.write('\n');
  TextTable table({{std::string(title)}, {"Size", Align::Right}, {"Padding", Align::Right}});
  for (const ComparedLayout& row : firstOf(rows, limit)) {
    table.addRow({row.type, std::to_string(isBefore ? row.instanceBytesBefore : row.instanceBytesAfter),
                  std::to_string(isBefore ? row.paddingBefore : row.paddingAfter)});
  }
  table.write(output);
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
  writeRows(json, "changed", firstOf(comparison.changed, limit));
  writeRows(json, "added", firstOf(comparison.added, limit));
  writeRows(json, "removed", firstOf(comparison.removed, limit));
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
  writeChanged(output, comparison, limit);
  if (comparison.changed.size() > limit)
    output.write("and " + countOf(comparison.changed.size() - limit, "more type") + ".\n");
  writeOneSided(output, "Added", comparison.added, false, limit);
  writeOneSided(output, "Removed", comparison.removed, true, limit);
  if (!comparison.failures.empty())
    output.write(countOf(comparison.failures.size(), "type") + " could not be laid out, see --json.\n");
}

}  // namespace heapscape::engine
