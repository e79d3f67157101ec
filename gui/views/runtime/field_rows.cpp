// SPDX-License-Identifier: MIT
#include "views/runtime/field_rows.h"

#include <QObject>

#include "tables/type_detail_tables.h"
#include "widgets/text/figures.h"
#include "widgets/text/value_text.h"

namespace heapscape::gui {

namespace {

using engine::TypeField;

QString valueCell(const TypeField& field) {
  return field.value ? valueText(*field.value) : QString();
}

QString fieldDetail(const TypeField& field) {
  return u"%1\nFieldDesc %2, token 0x%3, element type 0x%4"_s.arg(fromEngine(field.name), addressText(field.fieldDesc))
      .arg(field.token, 8, 16, QLatin1Char('0'))
      .arg(field.elementType, 2, 16, QLatin1Char('0'));
}

}  // namespace

RowSchema<TypeField> fieldSchema() {
  RowSchema<TypeField> schema{.table = &engine::fieldsTable()};
  schema.columns.push_back({.setup = {.field = "objectOffset", .letters = 8},
                            .detail = [](const TypeField& field) { return u"0x%1"_s.arg(field.objectOffset, 0, 16); }});
  schema.columns.push_back({.setup = {.field = "offset", .letters = 7},
                            .detail = [](const TypeField& field) { return u"0x%1"_s.arg(field.offset, 0, 16); }});
  schema.columns.push_back({.setup = {.field = "size"}});
  schema.columns.push_back({.setup = {.field = "name", .letters = 26, .stretches = true},
                            .words = [](const TypeField& field) { return fieldNameText(field.name); },
                            .detail = fieldDetail});
  schema.columns.push_back({.setup = {.field = "type", .letters = 32}, .type = &TypeField::typeMethodTable});
  schema.columns.push_back(
      {.setup = {.field = "value", .letters = 24},
       .words = valueCell,
       .object = [](const TypeField& field) { return field.value ? field.value->object : engine::Address{}; },
       .detail = [](const TypeField& field) { return field.value ? valueTip(*field.value) : QString(); }});
  schema.columns.push_back({.setup = {.field = "valueType", .letters = 5},
                            .words = [](const TypeField& field) { return field.isValueType ? u"yes"_s : u"no"_s; }});
  schema.columns.push_back({.setup = {.field = "declaredType", .letters = 22}});
  schema.columns.push_back({.setup = {.field = "attributes", .letters = 18}});
  schema.columns.push_back(
      {.setup = {.field = "declaringType", .letters = 22}, .type = &TypeField::declaringMethodTable});
  schema.columns.push_back({.setup = {.field = "declaringMethodTable"}});
  schema.columns.push_back(
      {.setup = {.field = "token", .isInWords = true, .letters = 14},
       .words = [](const TypeField& field) { return u"%1"_s.arg(field.token, 8, 16, QLatin1Char('0')); }});
  schema.columns.push_back({.setup = {.field = "fieldDesc"}});
  schema.kinds = {
      {.name = u"Instance"_s, .tip = u"In every object, parents' fields first."_s},
      {.name = u"Static"_s, .tip = u"Once for the type."_s},
      {.name = u"Thread static"_s, .tip = u"Once for each thread."_s},
      {.name = u"RVA"_s, .tip = u"Data in the module's image."_s},
  };
  schema.kindOf = [](const TypeField& field) { return static_cast<std::size_t>(engine::homeOf(field)); };
  schema.identity = [](const TypeField& field) { return field.fieldDesc; };
  return schema;
}

RowSchema<engine::TypeEnumMember> enumMemberSchema() {
  using Member = engine::TypeEnumMember;
  RowSchema<Member> schema{.table = &engine::enumMembersTable()};
  schema.columns.push_back({.setup = {.field = "name", .letters = 32, .stretches = true}});
  schema.columns.push_back({.setup = {.field = "value", .isInWords = true, .letters = 20},
                            .words = [](const Member& member) { return fromEngine(member.value); }});
  schema.columns.push_back({.setup = {.field = "hex", .isInWords = true, .letters = 20},
                            .words = [](const Member& member) { return u"0x%1"_s.arg(member.bits, 0, 16); }});
  return schema;
}

}  // namespace heapscape::gui
