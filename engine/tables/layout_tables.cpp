// SPDX-License-Identifier: MIT
#include "tables/layout_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
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
ColumnOf<ComparedLayout> sideColumn(const ColumnWords& words, std::uint32_t ComparedLayout::*bytes,
                                    LayoutTypeId ComparedLayout::*side) {
  return column<ComparedLayout>(
      words, [bytes, side](const ComparedLayout& type) { return (type.*side).isNone() ? Cell() : Cell(type.*bytes); });
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

ColumnOf<FieldDifference> numberColumn(ColumnWords words, std::optional<std::uint32_t> FieldDifference::*number) {
  words.kind = ColumnKind::Id;
  return column<FieldDifference>(words, number);
}

std::vector<ColumnOf<ComparedLayout>> comparedColumns() {
  using Row = ComparedLayout;
  return {column<Row>({.name = "metadataName",
                       .title = "Name in metadata",
                       .meaning = "Full name as metadata spells it.",
                       .jsonName = "type"},
                      [](const Row& r) { return metadataTypeName(r.type); }),
          typeNameColumn<Row>(&Row::type),
          assemblyColumn<Row>(&Row::assembly),
          sideColumn({.name = "sizeBefore",
                      .title = "Size before",
                      .meaning = "Bytes of an object of a class, or of a value.",
                      .kind = ColumnKind::Count},
                     &Row::instanceBytesBefore, &Row::before),
          sideColumn({.name = "paddingBefore",
                      .title = "Padding before",
                      .meaning = "Bytes that no field uses.",
                      .kind = ColumnKind::Count},
                     &Row::paddingBefore, &Row::before),
          sideColumn({.name = "sizeAfter",
                      .title = "Size after",
                      .meaning = "The size in what it is compared with.",
                      .kind = ColumnKind::Count},
                     &Row::instanceBytesAfter, &Row::after),
          sideColumn({.name = "paddingAfter",
                      .title = "Padding after",
                      .meaning = "The padding in what it is compared with.",
                      .kind = ColumnKind::Count},
                     &Row::paddingAfter, &Row::after),
          column<Row>({.name = "kindChanged",
                       .title = "Another kind",
                       .meaning = "Laid out as another kind of type, as sequential instead of auto.",
                       .kind = ColumnKind::Flag},
                      [](const Row& r) { return isOnBothSides(r) ? Cell(r.difference.kindChanged) : Cell(); }),
          column<Row>({.name = "changes",
                       .title = "Fields",
                       .meaning = "What became of its fields, the first few.",
                       .isInJson = false},
                      fieldsText)};
}

std::vector<ColumnOf<FieldDifference>> fieldDifferenceColumns() {
  using Row = FieldDifference;
  const auto typeColumn = [](ColumnWords words, std::string Row::*type) {
    words.kind = ColumnKind::TypeName;
    return column<Row>(words, [type](const Row& r) { return metadataTypeName(r.*type); });
  };
  return {
      typeColumn({.name = "declaringType", .title = "Declared by", .meaning = "The type that declares the field."},
                 &Row::declaringType),
      column<Row>({.name = "name", .title = "Field", .meaning = "Name of the field.", .isSearched = true}, &Row::name),
      column<Row>({.name = "change",
                   .title = "Change",
                   .meaning = "What became of it, the gravest that applies.",
                   .kind = ColumnKind::Choice,
                   .choices = namesOf<FieldChange>()},
                  &Row::change),
      numberColumn({.name = "offsetBefore", .title = "Offset before", .meaning = "Where it lay."}, &Row::offsetBefore),
      numberColumn({.name = "offsetAfter", .title = "Offset after", .meaning = "Where it lies now."},
                   &Row::offsetAfter),
      numberColumn({.name = "sizeBefore", .title = "Size before", .meaning = "Bytes that it took."}, &Row::sizeBefore),
      numberColumn({.name = "sizeAfter", .title = "Size after", .meaning = "Bytes that it takes now."},
                   &Row::sizeAfter),
      typeColumn({.name = "typeBefore", .title = "Type before", .meaning = "What it held."}, &Row::typeBefore),
      typeColumn({.name = "typeAfter", .title = "Type after", .meaning = "What it holds now."}, &Row::typeAfter)};
}

}  // namespace

const TableOf<FieldDifference>& fieldDifferencesTable() {
  static const TableOf<FieldDifference> table =
      TableOf<FieldDifference>{"fields", fieldDifferenceColumns()}.onOneLine();
  return table;
}

const TableOf<ComparedLayout>& comparedLayoutsTable() {
  static const TableOf<ComparedLayout> table = TableOf<ComparedLayout>{
      "layouts",
      comparedColumns(),
      {"type", "sizeBefore", "sizeAfter", "paddingBefore", "paddingAfter",
       "changes"}}.having([](const ComparedLayout& type) {
    return isOnBothSides(type) ? std::vector{fieldDifferencesTable().with(differingFields(type))}
                               : std::vector<Table>{};
  });
  return table;
}

}  // namespace heapscape::engine
