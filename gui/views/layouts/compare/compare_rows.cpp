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
      return QObject::tr("same");
    case FieldChange::Moved:
      return QObject::tr("moved");
    case FieldChange::Resized:
      return QObject::tr("resized");
    case FieldChange::Retyped:
      return QObject::tr("retyped");
    case FieldChange::Added:
      return QObject::tr("only there");
    case FieldChange::Removed:
      break;
  }
  return QObject::tr("only here");
}

// "2 moved, 1 only there".
QString summaryOf(const ComparedLayout& type) {
  if (kindOf(type) == ComparedKind::OnlyThere) return QObject::tr("only there");
  if (kindOf(type) == ComparedKind::OnlyHere) return QObject::tr("only here");
  std::array<std::size_t, 6> counts{};
  for (const FieldDifference& field : type.difference.fields) ++counts[static_cast<std::size_t>(field.change)];
  QStringList parts;
  for (std::size_t change = 1; change < counts.size(); ++change) {
    if (counts[change] == 0) continue;
    parts << QStringLiteral("%1 %2").arg(countText(counts[change]), changeText(static_cast<FieldChange>(change)));
  }
  if (type.difference.kindChanged) parts << QObject::tr("another kind of layout");
  return parts.isEmpty() ? QObject::tr("size or padding") : parts.join(QStringLiteral(", "));
}

RowColumn<ComparedLayout> bytesColumn(const QString& title, const QString& tip, std::uint32_t ComparedLayout::*bytes,
                                      engine::LayoutTypeId ComparedLayout::*side) {
  return {.setup = {.title = title, .tip = tip, .look = ColumnLook::Count, .letters = 13, .hidesZero = true},
          .number = [bytes](const ComparedLayout& type) { return std::uint64_t{type.*bytes}; },
          .detail =
              [bytes, side](const ComparedLayout& type) {
                return (type.*side).isNone() ? QObject::tr("The type is not there.") : exactBytesText(type.*bytes);
              }};
}

RowColumn<FieldDifference> numberColumn(const QString& title, std::optional<std::uint32_t> FieldDifference::*number) {
  return {.setup = {.title = title,
                    .tip = QObject::tr("In the open file, and there: in what it is compared with"),
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
      {.setup = {.title = QObject::tr("Type"),
                 .look = ColumnLook::TypeName,
                 .letters = 36,
                 .stretches = true,
                 .isSearched = true},
       .words = [](const ComparedLayout& type) { return fromEngine(type.type); }},
      bytesColumn(QObject::tr("Size"), QObject::tr("Bytes of an object of a class, or of a value, in the open file"),
                  &ComparedLayout::instanceBytesBefore, &ComparedLayout::before),
      bytesColumn(QObject::tr("there"), QObject::tr("The same in what it is compared with"),
                  &ComparedLayout::instanceBytesAfter, &ComparedLayout::after),
      bytesColumn(QObject::tr("Padding"), QObject::tr("Bytes that no field uses, in the open file"),
                  &ComparedLayout::paddingBefore, &ComparedLayout::before),
      bytesColumn(QObject::tr("there"), QObject::tr("The same in what it is compared with"),
                  &ComparedLayout::paddingAfter, &ComparedLayout::after),
      {.setup = {.title = QObject::tr("Fields"),
                 .tip = QObject::tr("What became of them"),
                 .letters = 30,
                 .holdsContents = false},
       .words = summaryOf},
      {.setup = {.title = QObject::tr("Assembly"), .letters = 24, .isSearched = true, .holdsContents = false},
       .words = [](const ComparedLayout& type) { return fromEngine(type.assembly); }},
  };
  schema.kinds = {
      {.name = QObject::tr("Changed"), .tip = QObject::tr("Laid out otherwise there")},
      {.name = QObject::tr("Only there"), .tip = QObject::tr("Types that only the other one has")},
      {.name = QObject::tr("Only here"), .tip = QObject::tr("Types that only the open file has")},
  };
  schema.kindOf = [](const ComparedLayout& type) { return static_cast<std::size_t>(kindOf(type)); };
  return schema;
}

RowSchema<FieldDifference> fieldDifferenceSchema() {
  RowSchema<FieldDifference> schema;
  schema.columns = {
      {.setup = {.title = QObject::tr("Field"), .letters = 18, .isSearched = true, .holdsContents = false},
       .words = [](const FieldDifference& field) { return fromEngine(field.name); },
       .detail = [](const FieldDifference& field) { return fromEngine(field.declaringType + "." + field.name); }},
      {.setup = {.title = QObject::tr("Change"), .letters = 11, .holdsContents = false},
       .words = [](const FieldDifference& field) { return changeText(field.change); }},
      numberColumn(QObject::tr("Offset"), &FieldDifference::offsetBefore),
      numberColumn(QObject::tr("there"), &FieldDifference::offsetAfter),
      numberColumn(QObject::tr("Size"), &FieldDifference::sizeBefore),
      numberColumn(QObject::tr("there"), &FieldDifference::sizeAfter),
      {.setup = {.title = QObject::tr("Type"),
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
             return QObject::tr("here %1, there %2").arg(fromEngine(field.typeBefore), fromEngine(field.typeAfter));
           }},
  };
  schema.kinds = {{.name = QObject::tr("Different"), .tip = QObject::tr("Fields that lie elsewhere or are others")},
                  {.name = QObject::tr("Same"), .tip = QObject::tr("Fields that are as they were")}};
  schema.kindOf = [](const FieldDifference& field) {
    return static_cast<std::size_t>(field.change == FieldChange::Same ? FieldDifferenceKind::Same
                                                                      : FieldDifferenceKind::Different);
  };
  return schema;
}

}  // namespace heapscape::gui
