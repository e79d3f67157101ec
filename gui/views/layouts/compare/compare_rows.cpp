// SPDX-License-Identifier: MIT
#include "views/layouts/compare/compare_rows.h"

#include <QObject>
#include <array>

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

RowColumn<ComparedLayout> bytesColumn(const QString& title, const QString& tip, std::uint32_t ComparedLayout::*bytes,
                                      engine::LayoutTypeId ComparedLayout::*side) {
  return {.setup = {.title = title, .tip = tip, .look = ColumnLook::Count, .letters = 13, .hidesZero = true},
          .number = [bytes](const ComparedLayout& type) { return std::uint64_t{type.*bytes}; },
          .detail =
              [bytes, side](const ComparedLayout& type) {
                return (type.*side).isNone() ? QStringLiteral("The type is not there.") : exactBytesText(type.*bytes);
              }};
}

RowColumn<FieldDifference> numberColumn(const QString& title, std::optional<std::uint32_t> FieldDifference::*number) {
  return {.setup = {.title = title,
                    .tip = QStringLiteral("In the open file, and there: in what it is compared with"),
                    .letters = 8,
                    .holdsContents = false},
          .words = [number](const FieldDifference& field) {
            return field.*number ? QString::number(*(field.*number)) : QString();
          }};
}

}  // namespace

RowSchema<ComparedLayout> comparedTypeSchema() {
  RowSchema<ComparedLayout> schema;
  schema.columns = {
      {.setup = {.title = QStringLiteral("Type"),
                 .look = ColumnLook::TypeName,
                 .letters = 36,
                 .stretches = true,
                 .isSearched = true},
       .words = [](const ComparedLayout& type) { return fromEngine(type.type); }},
      bytesColumn(QStringLiteral("Size"),
                  QStringLiteral("Bytes of an object of a class, or of a value, in the open file"),
                  &ComparedLayout::instanceBytesBefore, &ComparedLayout::before),
      bytesColumn(QStringLiteral("there"), QStringLiteral("The same in what it is compared with"),
                  &ComparedLayout::instanceBytesAfter, &ComparedLayout::after),
      bytesColumn(QStringLiteral("Padding"), QStringLiteral("Bytes that no field uses, in the open file"),
                  &ComparedLayout::paddingBefore, &ComparedLayout::before),
      bytesColumn(QStringLiteral("there"), QStringLiteral("The same in what it is compared with"),
                  &ComparedLayout::paddingAfter, &ComparedLayout::after),
      {.setup = {.title = QStringLiteral("Fields"),
                 .tip = QStringLiteral("What became of them"),
                 .letters = 30,
                 .holdsContents = false},
       .words = summaryOf},
      {.setup = {.title = QStringLiteral("Assembly"), .letters = 24, .isSearched = true, .holdsContents = false},
       .words = [](const ComparedLayout& type) { return fromEngine(type.assembly); }},
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
  RowSchema<FieldDifference> schema;
  schema.columns = {
      {.setup = {.title = QStringLiteral("Field"), .letters = 18, .isSearched = true, .holdsContents = false},
       .words = [](const FieldDifference& field) { return fromEngine(field.name); },
       .detail = [](const FieldDifference& field) { return fromEngine(field.declaringType + "." + field.name); }},
      {.setup = {.title = QStringLiteral("Change"), .letters = 11, .holdsContents = false},
       .words = [](const FieldDifference& field) { return changeText(field.change); }},
      numberColumn(QStringLiteral("Offset"), &FieldDifference::offsetBefore),
      numberColumn(QStringLiteral("there"), &FieldDifference::offsetAfter),
      numberColumn(QStringLiteral("Size"), &FieldDifference::sizeBefore),
      numberColumn(QStringLiteral("there"), &FieldDifference::sizeAfter),
      {.setup = {.title = QStringLiteral("Type"),
                 .look = ColumnLook::TypeName,
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
