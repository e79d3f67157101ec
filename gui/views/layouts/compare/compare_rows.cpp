// SPDX-License-Identifier: MIT
#include "views/layouts/compare/compare_rows.h"

#include <QObject>
#include <array>
#include <optional>

#include "tables/layout_tables.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {

namespace {

using engine::ComparedLayout;
using engine::FieldChange;
using engine::FieldDifference;

ComparedKind kindOf(const ComparedLayout& type) {
  if (type.before.isNone()) return ComparedKind::OnlyThere;
  return type.after.isNone() ? ComparedKind::OnlyHere : ComparedKind::Changed;
}

QString changeText(FieldChange change) {
  switch (change) {
    case FieldChange::Same:
      return QStringLiteral("same");
    case FieldChange::Moved:
      return QStringLiteral("moved");
    case FieldChange::Resized:
      return QStringLiteral("resized");
    case FieldChange::Retyped:
      return QStringLiteral("retyped");
    case FieldChange::Added:
      return QStringLiteral("only there");
    case FieldChange::Removed:
      break;
  }
  return QStringLiteral("only here");
}

// "2 moved, 1 only there".
QString summaryOf(const ComparedLayout& type) {
  if (kindOf(type) == ComparedKind::OnlyThere) return QStringLiteral("only there");
  if (kindOf(type) == ComparedKind::OnlyHere) return QStringLiteral("only here");
  std::array<std::size_t, 6> counts{};
  for (const FieldDifference& field : type.difference.fields) ++counts[static_cast<std::size_t>(field.change)];
  QStringList parts;
  for (std::size_t change = 1; change < counts.size(); ++change) {
    if (counts[change] == 0) continue;
    parts << QStringLiteral("%1 %2").arg(countText(counts[change]), changeText(static_cast<FieldChange>(change)));
  }
  if (type.difference.kindChanged) parts << QStringLiteral("another kind of layout");
  return parts.isEmpty() ? QStringLiteral("size or padding") : parts.join(QStringLiteral(", "));
}

// "there" is said of what the open file is compared with.
RowColumn<ComparedLayout> bytesColumn(const char* field, const QString& title, std::uint32_t ComparedLayout::*bytes,
                                      engine::LayoutTypeId ComparedLayout::*side) {
  return {.setup = {.field = field, .title = title, .letters = 13, .hidesZero = true},
          .detail = [bytes, side](const ComparedLayout& type) {
            return (type.*side).isNone() ? QStringLiteral("The type is not there.") : exactBytesText(type.*bytes);
          }};
}

RowColumn<FieldDifference> numberColumn(const char* field, const QString& title,
                                        std::optional<std::uint32_t> FieldDifference::*number) {
  return {.setup = {.field = field,
                    .isInWords = true,
                    .title = title,
                    .tip = QStringLiteral("In the open file, and there: in what it is compared with"),
                    .letters = 8,
                    .holdsContents = false},
          .words = [number](const FieldDifference& field) {
            return field.*number ? QString::number(*(field.*number)) : QString();
          }};
}

}  // namespace

RowSchema<ComparedLayout> comparedTypeSchema() {
  RowSchema<ComparedLayout> schema{.table = &engine::comparedLayoutsTable()};
  schema.columns = {
      {.setup = {.field = "type", .letters = 36, .stretches = true}},
      bytesColumn("sizeBefore", QStringLiteral("Size"), &ComparedLayout::instanceBytesBefore, &ComparedLayout::before),
      bytesColumn("sizeAfter", QStringLiteral("there"), &ComparedLayout::instanceBytesAfter, &ComparedLayout::after),
      bytesColumn("paddingBefore", QStringLiteral("Padding"), &ComparedLayout::paddingBefore, &ComparedLayout::before),
      bytesColumn("paddingAfter", QStringLiteral("there"), &ComparedLayout::paddingAfter, &ComparedLayout::after),
      {.setup = {.field = "changes", .letters = 30}, .words = summaryOf},
      {.setup = {.field = "assembly", .letters = 24, .isSearched = true}},
  };
  schema.kinds = {
      {.name = QStringLiteral("Changed"), .tip = QStringLiteral("Laid out otherwise there")},
      {.name = QStringLiteral("Only there"), .tip = QStringLiteral("Types that only the other one has")},
      {.name = QStringLiteral("Only here"), .tip = QStringLiteral("Types that only the open file has")},
  };
  schema.kindOf = [](const ComparedLayout& type) { return static_cast<std::size_t>(kindOf(type)); };
  return schema;
}

RowSchema<FieldDifference> fieldDifferenceSchema() {
  RowSchema<FieldDifference> schema{.table = &engine::fieldDifferencesTable()};
  schema.columns = {
      {.setup = {.field = "name", .letters = 18},
       .detail = [](const FieldDifference& field) { return fromEngine(field.declaringType + "." + field.name); }},
      {.setup = {.field = "change", .letters = 11},
       .words = [](const FieldDifference& field) { return changeText(field.change); }},
      numberColumn("offsetBefore", QStringLiteral("Offset"), &FieldDifference::offsetBefore),
      numberColumn("offsetAfter", QStringLiteral("there"), &FieldDifference::offsetAfter),
      numberColumn("sizeBefore", QStringLiteral("Size"), &FieldDifference::sizeBefore),
      numberColumn("sizeAfter", QStringLiteral("there"), &FieldDifference::sizeAfter),
      {.setup = {.field = "typeAfter",
                 .title = QStringLiteral("Type"),
                 .letters = 20,
                 .stretches = true,
                 .isSearched = true},
       .words =
           [](const FieldDifference& field) {
             return fromEngine(field.typeAfter.empty() ? field.typeBefore : field.typeAfter);
           },
       .detail =
           [](const FieldDifference& field) {
             if (field.typeBefore.empty() || field.typeAfter.empty() || field.typeBefore == field.typeAfter) {
               return fromEngine(field.typeAfter.empty() ? field.typeBefore : field.typeAfter);
             }
             return QStringLiteral("here %1, there %2").arg(fromEngine(field.typeBefore), fromEngine(field.typeAfter));
           }},
  };
  schema.kinds = {
      {.name = QStringLiteral("Different"), .tip = QStringLiteral("Fields that lie elsewhere or are others")},
      {.name = QStringLiteral("Same"), .tip = QStringLiteral("Fields that are as they were")}};
  schema.kindOf = [](const FieldDifference& field) {
    return static_cast<std::size_t>(field.change == FieldChange::Same ? FieldDifferenceKind::Same
                                                                      : FieldDifferenceKind::Different);
  };
  return schema;
}

}  // namespace heapscape::gui
