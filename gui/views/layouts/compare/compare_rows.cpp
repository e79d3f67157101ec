// SPDX-License-Identifier: MIT
#include "views/layouts/compare/compare_rows.h"

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
      return u"same"_s;
    case FieldChange::Moved:
      return u"moved"_s;
    case FieldChange::Resized:
      return u"resized"_s;
    case FieldChange::Retyped:
      return u"retyped"_s;
    case FieldChange::Added:
      return u"only there"_s;
    case FieldChange::Removed:
      break;
  }
  return u"only here"_s;
}

// "2 moved, 1 only there".
QString summaryOf(const ComparedLayout& type) {
  if (kindOf(type) == ComparedKind::OnlyThere) return u"only there"_s;
  if (kindOf(type) == ComparedKind::OnlyHere) return u"only here"_s;
  std::array<std::size_t, 6> counts{};
  for (const FieldDifference& field : type.difference.fields) ++counts[static_cast<std::size_t>(field.change)];
  QStringList parts;
  for (std::size_t change = 1; change < counts.size(); ++change) {
    if (counts[change] == 0) continue;
    parts << u"%1 %2"_s.arg(countText(counts[change]), changeText(static_cast<FieldChange>(change)));
  }
  if (type.difference.kindChanged) parts << u"another kind of layout"_s;
  return parts.isEmpty() ? u"size or padding"_s : parts.join(u", "_s);
}

// "there" is said of what the open file is compared with.
RowColumn<ComparedLayout> bytesColumn(const char* field, const QString& title, std::uint32_t ComparedLayout::*bytes,
                                      engine::LayoutTypeId ComparedLayout::*side) {
  return {.setup = {.field = field, .title = title, .letters = 13, .hidesZero = true},
          .detail = [bytes, side](const ComparedLayout& type) {
            return (type.*side).isNone() ? u"The type is not there."_s : exactBytesText(type.*bytes);
          }};
}

RowColumn<FieldDifference> numberColumn(const char* field, const QString& title,
                                        std::optional<std::uint32_t> FieldDifference::*number) {
  return {.setup = {.field = field,
                    .isInWords = true,
                    .title = title,
                    .tip = u"In the open file, and there: in what it is compared with"_s,
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
      bytesColumn("sizeBefore", u"Size"_s, &ComparedLayout::instanceBytesBefore, &ComparedLayout::before),
      bytesColumn("sizeAfter", u"there"_s, &ComparedLayout::instanceBytesAfter, &ComparedLayout::after),
      bytesColumn("paddingBefore", u"Padding"_s, &ComparedLayout::paddingBefore, &ComparedLayout::before),
      bytesColumn("paddingAfter", u"there"_s, &ComparedLayout::paddingAfter, &ComparedLayout::after),
      {.setup = {.field = "changes", .letters = 30}, .words = summaryOf},
      {.setup = {.field = "assembly", .letters = 24, .isSearched = true}},
  };
  schema.kinds = {
      {.name = u"Changed"_s, .tip = u"Laid out otherwise there"_s},
      {.name = u"Only there"_s, .tip = u"Types that only the other one has"_s},
      {.name = u"Only here"_s, .tip = u"Types that only the open file has"_s},
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
      numberColumn("offsetBefore", u"Offset"_s, &FieldDifference::offsetBefore),
      numberColumn("offsetAfter", u"there"_s, &FieldDifference::offsetAfter),
      numberColumn("sizeBefore", u"Size"_s, &FieldDifference::sizeBefore),
      numberColumn("sizeAfter", u"there"_s, &FieldDifference::sizeAfter),
      {.setup = {.field = "typeAfter", .title = u"Type"_s, .letters = 20, .stretches = true, .isSearched = true},
       .words =
           [](const FieldDifference& field) {
             return fromEngine(field.typeAfter.empty() ? field.typeBefore : field.typeAfter);
           },
       .detail =
           [](const FieldDifference& field) {
             if (field.typeBefore.empty() || field.typeAfter.empty() || field.typeBefore == field.typeAfter) {
               return fromEngine(field.typeAfter.empty() ? field.typeBefore : field.typeAfter);
             }
             return u"here %1, there %2"_s.arg(fromEngine(field.typeBefore), fromEngine(field.typeAfter));
           }},
  };
  schema.kinds = {{.name = u"Different"_s, .tip = u"Fields that lie elsewhere or are others"_s},
                  {.name = u"Same"_s, .tip = u"Fields that are as they were"_s}};
  schema.kindOf = [](const FieldDifference& field) {
    return static_cast<std::size_t>(field.change == FieldChange::Same ? FieldDifferenceKind::Same
                                                                      : FieldDifferenceKind::Different);
  };
  return schema;
}

}  // namespace heapscape::gui
