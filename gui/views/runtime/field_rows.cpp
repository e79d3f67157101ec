// SPDX-License-Identifier: MIT
#include "views/runtime/field_rows.h"

#include <QObject>

#include "widgets/text/figures.h"
#include "widgets/text/value_text.h"

namespace heapscape::gui {

namespace {

using engine::TypeField;

enum FieldGroup : std::size_t { Instance, Static, ThreadStatic, Rva };

FieldGroup kindOf(const TypeField& field) {
  if (field.isThreadStatic) return ThreadStatic;
  if (field.isRva) return Rva;
  return field.isStatic ? Static : Instance;
}

QString valueCell(const TypeField& field) {
  return field.value ? valueText(*field.value) : QString();
}

QString fieldDetail(const TypeField& field) {
  return QObject::tr("%1\nFieldDesc %2, token 0x%3, element type 0x%4")
      .arg(fromEngine(field.name), addressText(field.fieldDesc))
      .arg(field.token, 8, 16, QLatin1Char('0'))
      .arg(field.elementType, 2, 16, QLatin1Char('0'));
}

}  // namespace

RowSchema<TypeField> fieldSchema() {
  RowSchema<TypeField> schema;
  schema.columns = {
      {.setup = {.title = QObject::tr("Offset"),
                 .tip = QObject::tr("From the object's address, as SOS counts. Of a static: in its area."),
                 .look = ColumnLook::Count,
                 .letters = 8},
       .number = [](const TypeField& field) { return std::uint64_t{field.objectOffset}; },
       .detail = [](const TypeField& field) { return QObject::tr("0x%1").arg(field.objectOffset, 0, 16); }},
      {.setup = {.title = QObject::tr("Inner"),
                 .tip = QObject::tr("From the first field, behind the method table pointer, as layouts count."),
                 .look = ColumnLook::Count,
                 .letters = 7},
       .number = [](const TypeField& field) { return std::uint64_t{field.offset}; },
       .detail = [](const TypeField& field) { return QObject::tr("0x%1").arg(field.offset, 0, 16); }},
      {.setup = {.title = QObject::tr("Size"), .look = ColumnLook::Bytes},
       .number = [](const TypeField& field) { return std::uint64_t{field.sizeBytes}; }},
      {.setup = {.title = QObject::tr("Field"),
                 .letters = 26,
                 .stretches = true,
                 .isSearched = true,
                 .holdsContents = false},
       .words = [](const TypeField& field) { return fieldNameText(field.name); },
       .detail = fieldDetail},
      {.setup = {.title = QObject::tr("Type"), .look = ColumnLook::TypeName, .letters = 32, .isSearched = true},
       .words = [](const TypeField& field) { return fromEngine(field.typeName); },
       .link =
           [](const TypeField& field) {
             return RowLink{{}, field.typeMethodTable};
           }},
      {.setup = {.title = QObject::tr("Value"),
                 .tip = QObject::tr("Of statics, and of the fields of an object that is picked"),
                 .letters = 24,
                 .isSearched = true},
       .words = valueCell,
       .link =
           [](const TypeField& field) {
             return RowLink{field.value ? field.value->object : engine::Address{}, {}};
           },
       .detail = [](const TypeField& field) { return field.value ? valueTip(*field.value) : QString(); }},
      {.setup = {.title = QObject::tr("VT"),
                 .tip = QObject::tr("Whether a value lies in the field itself: a struct, an enum or a primitive"),
                 .letters = 5,
                 .holdsContents = false},
       .words = [](const TypeField& field) { return field.isValueType ? QObject::tr("yes") : QObject::tr("no"); }},
      {.setup = {.title = QObject::tr("Declared as"),
                 .tip = QObject::tr("As the definition has it, with its type parameters"),
                 .look = ColumnLook::TypeName,
                 .letters = 22,
                 .isSearched = true},
       .words = [](const TypeField& field) { return fromEngine(field.declaredType); }},
      {.setup = {.title = QObject::tr("Attributes"), .letters = 18, .holdsContents = false},
       .words = [](const TypeField& field) { return fromEngine(field.attributes); }},
      {.setup = {.title = QObject::tr("Declared by"), .look = ColumnLook::TypeName, .letters = 22, .isSearched = true},
       .words = [](const TypeField& field) { return fromEngine(field.declaringType); },
       .link =
           [](const TypeField& field) {
             return RowLink{{}, field.declaringMethodTable};
           }},
      {.setup = {.title = QObject::tr("Its method table"), .look = ColumnLook::Address, .isSearched = true},
       .number = [](const TypeField& field) { return field.declaringMethodTable.value; }},
      {.setup = {.title = QObject::tr("Token"), .letters = 10, .isSearched = true, .holdsContents = false},
       .words = [](const TypeField& field) { return QStringLiteral("%1").arg(field.token, 8, 16, QLatin1Char('0')); }},
      {.setup = {.title = QObject::tr("FieldDesc"), .look = ColumnLook::Address},
       .number = [](const TypeField& field) { return field.fieldDesc.value; }},
  };
  schema.kinds = {
      {.name = QObject::tr("Instance"), .tip = QObject::tr("In every object, parents' fields first.")},
      {.name = QObject::tr("Static"), .tip = QObject::tr("Once for the type.")},
      {.name = QObject::tr("Thread static"), .tip = QObject::tr("Once for each thread.")},
      {.name = QObject::tr("RVA"), .tip = QObject::tr("Data in the module's image.")},
  };
  schema.kindOf = [](const TypeField& field) { return static_cast<std::size_t>(kindOf(field)); };
  schema.identity = [](const TypeField& field) { return field.fieldDesc; };
  return schema;
}

}  // namespace heapscape::gui
