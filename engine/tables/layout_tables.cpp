// SPDX-License-Identifier: MIT
#include "tables/layout_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>

#include "metadata/names/type_name.h"
#include "tables/common_columns.h"

namespace heapscape::engine {

namespace {

bool isOnBothSides(const ComparedLayout& type) {
  return !type.before.isNone() && !type.after.isNone();
}

// Column of a side that has the type.
ColumnOf<ComparedLayout> sideColumn(std::string_view name, std::string_view title, std::string_view meaning,
                                    std::uint32_t ComparedLayout::*bytes, LayoutTypeId ComparedLayout::*side) {
  return countColumn<ComparedLayout>(name, title, meaning, [bytes, side](const ComparedLayout& type) {
    return (type.*side).isNone() ? Cell() : Cell(type.*bytes);
  });
}

std::vector<FieldDifference> differingFields(const ComparedLayout& type) {
  std::vector<FieldDifference> fields;
  std::ranges::copy_if(type.difference.fields, std::back_inserter(fields),
                       [](const FieldDifference& field) { return field.change != FieldChange::Same; });
  return fields;
}

std::string offsetText(const std::optional<std::uint32_t>& offset) {
  return offset ? std::to_string(*offset) : "-";
}

// "Total moved 8 → 16, Tax added - → 24", the first few.
std::string fieldsText(const ComparedLayout& type) {
  constexpr std::size_t kShown = 4;
  if (!isOnBothSides(type)) return {};
  const std::vector<FieldDifference> fields = differingFields(type);
  std::string text;
  for (std::size_t i = 0; i < std::min(kShown, fields.size()); ++i) {
    const FieldDifference& field = fields[i];
    text += fmt::format("{}{} {}", i ? ", " : "", field.name, toString(field.change));
    if (field.offsetBefore != field.offsetAfter)
      text += fmt::format(" {} → {}", offsetText(field.offsetBefore), offsetText(field.offsetAfter));
  }
  if (fields.size() > kShown) text += fmt::format(" and {} more", fields.size() - kShown);
  if (text.empty()) text = type.difference.kindChanged ? "other layout kind" : "paddings or references";
  return text;
}

// As metadata spells it.
ColumnOf<FieldDifference> metadataColumn(std::string_view name, std::string_view title, std::string_view meaning,
                                         std::string FieldDifference::*type) {
  return typeColumn<FieldDifference>(name, title, meaning,
                                     [type](const FieldDifference& row) { return metadataTypeName(row.*type); });
}

}  // namespace

const TableOf<FieldDifference>& fieldDifferencesTable() {
  using Row = FieldDifference;
  static const TableOf<FieldDifference> table = TableOf<FieldDifference>{
      "fields",
      {metadataColumn("declaringType", "Declared by", "The type that declares the field.", &Row::declaringType),
       textColumn<Row>("name", "Field", "Name of the field.", &Row::name).searched(),
       choiceColumn<Row>("change", "Change", "What became of it, the gravest that applies.", &Row::change),
       idColumn<Row>("offsetBefore", "Offset before", "Where it lay.", &Row::offsetBefore),
       idColumn<Row>("offsetAfter", "Offset after", "Where it lies now.", &Row::offsetAfter),
       idColumn<Row>("sizeBefore", "Size before", "Bytes that it took.", &Row::sizeBefore),
       idColumn<Row>("sizeAfter", "Size after", "Bytes that it takes now.", &Row::sizeAfter),
       metadataColumn("typeBefore", "Type before", "What it held.", &Row::typeBefore),
       metadataColumn("typeAfter", "Type after", "What it holds now.",
                      &Row::typeAfter)}}.onOneLine();
  return table;
}

const TableOf<ComparedLayout>& comparedLayoutsTable() {
  using Row = ComparedLayout;
  static const TableOf<ComparedLayout> table = TableOf<ComparedLayout>{
      "layouts",
      {textColumn<Row>("metadataName", "Name in metadata", "Full name as metadata spells it.",
                       [](const Row& r) { return metadataTypeName(r.type); })
           .inJsonAs("type"),
       typeNameColumn<Row>(&Row::type), assemblyColumn<Row>(&Row::assembly),
       sideColumn("sizeBefore", "Size before", "Bytes of an object of a class, or of a value.",
                  &Row::instanceBytesBefore, &Row::before),
       sideColumn("paddingBefore", "Padding before", "Bytes that no field uses.", &Row::paddingBefore, &Row::before),
       sideColumn("sizeAfter", "Size after", "The size in what it is compared with.", &Row::instanceBytesAfter,
                  &Row::after),
       sideColumn("paddingAfter", "Padding after", "The padding in what it is compared with.", &Row::paddingAfter,
                  &Row::after),
       flagColumn<Row>("kindChanged", "Another kind",
                       "Laid out as another kind of type, as sequential instead of auto.",
                       [](const Row& r) { return isOnBothSides(r) ? Cell(r.difference.kindChanged) : Cell(); }),
       textColumn<Row>("changes", "Fields", "What became of its fields, the first few.", fieldsText).notInJson()},
      {"type", "sizeBefore", "sizeAfter", "paddingBefore", "paddingAfter",
       "changes"}}.having([](const ComparedLayout& type) {
    return isOnBothSides(type) ? std::vector{fieldDifferencesTable().with(differingFields(type))}
                               : std::vector<Table>{};
  });
  return table;
}

}  // namespace heapscape::engine
