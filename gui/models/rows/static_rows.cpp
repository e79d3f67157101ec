// SPDX-License-Identifier: MIT
#include "models/rows/static_rows.h"

#include <QObject>

#include "models/rows/retained_column.h"
#include "widgets/text/figures.h"
#include "widgets/text/value_text.h"

namespace heapscape::gui {

namespace {

using engine::StaticKind;
using engine::StaticRow;

QString kindText(StaticKind kind) {
  switch (kind) {
    case StaticKind::Normal:
      return QObject::tr("Normal");
    case StaticKind::Thread:
      return QObject::tr("Thread");
    case StaticKind::Rva:
      break;
  }
  return QObject::tr("RVA");
}

QString valueCell(const StaticRow& row) {
  const engine::Value& value = row.value.value;
  if (row.isInitialised && value.kind == engine::ValueKind::Damaged && !value.damage.empty()) {
    return fromEngine(value.damage);
  }
  if (row.isInitialised) return valueText(value);
  return row.kind == StaticKind::Thread ? QObject::tr("not on this thread yet") : QObject::tr("not initialised yet");
}

QString valueDetail(const StaticRow& row) {
  if (!row.isInitialised) return QObject::tr("The runtime makes a type's statics when the type is first used.");
  QString tip = valueTip(row.value.value);
  if (row.isBoxed) tip += QLatin1Char('\n') + QObject::tr("A value type: the slot refers to a box that holds it.");
  return tip;
}

std::vector<RowKind> staticKinds() {
  const QString context = QObject::tr("Context statics, a fourth kind of the .NET Framework, do not exist in CoreCLR.");
  return {
      {.name = kindText(StaticKind::Normal),
       .tip = QObject::tr("One for the whole program.") + QLatin1Char('\n') + context},
      {.name = kindText(StaticKind::Thread),
       .tip = QObject::tr("[ThreadStatic]: one for each thread.") + QLatin1Char('\n') + context},
      {.name = kindText(StaticKind::Rva),
       .tip = QObject::tr("Data that lies in the assembly's image.") + QLatin1Char('\n') + context},
  };
}

void addValueColumns(RowSchema<StaticRow>& schema) {
  schema.columns.insert(
      schema.columns.end(),
      {
          {.setup = {.title = QObject::tr("Value"), .letters = 30, .stretches = true, .isSearched = true},
           .words = valueCell,
           .detail = valueDetail,
           .isWarning = [](const StaticRow& row) { return row.isInitialised && isDoubtful(row.value.value); }},
          {.setup = {.title = QObject::tr("Object"), .look = ColumnLook::Address, .isSearched = true},
           .number = [](const StaticRow& row) { return row.value.value.object.value; },
           .link =
               [](const StaticRow& row) {
                 return RowLink{row.value.value.object, row.value.value.methodTable};
               }},
          retainedColumn<StaticRow>(QObject::tr("What would be freed with the object that the field refers to"),
                                    [](const StaticRow& row) { return bool(row.value.value.object); }),
          {.setup = {.title = QObject::tr("Slot"),
                     .tip = QObject::tr("Where the field lies; nowhere before its type is used"),
                     .look = ColumnLook::Address,
                     .isSearched = true},
           .number = [](const StaticRow& row) { return row.address.value; }},
      });
}

}  // namespace

RowSchema<StaticRow> staticSchema(bool isOfOneType) {
  RowSchema<StaticRow> schema;
  if (!isOfOneType) {
    schema.columns.push_back(
        {.setup = {.title = QObject::tr("Type"), .look = ColumnLook::TypeName, .letters = 34, .isSearched = true},
         .words = [](const StaticRow& row) { return fromEngine(row.typeName); },
         .link =
             [](const StaticRow& row) {
               return RowLink{{}, row.methodTable};
             },
         .detail =
             [](const StaticRow& row) {
               return fromEngine(row.typeName) + QLatin1Char('\n') + fromEngine(row.assembly);
             }});
  }
  schema.columns.push_back(
      {.setup = {.title = QObject::tr("Field"), .letters = 22, .isSearched = true, .holdsContents = false},
       .words = [](const StaticRow& row) { return fieldNameText(row.field); },
       .detail = [](const StaticRow& row) { return fromEngine(row.field); }});
  schema.columns.push_back({.setup = {.title = QObject::tr("Kind"), .letters = 9, .holdsContents = false},
                            .words = [](const StaticRow& row) { return kindText(row.kind); }});
  schema.columns.push_back({.setup = {.title = QObject::tr("Thread"),
                                      .tip = QObject::tr("Managed id of the thread that a thread static is of"),
                                      .look = ColumnLook::Id,
                                      .letters = 7,
                                      .hidesZero = true},
                            .number = [](const StaticRow& row) { return std::uint64_t{row.threadId}; }});
  addValueColumns(schema);
  schema.columns.push_back(
      {.setup = {.title = QObject::tr("Declared as"), .look = ColumnLook::TypeName, .letters = 24, .isSearched = true},
       .words = [](const StaticRow& row) { return fromEngine(row.fieldType); }});
  schema.kinds = staticKinds();
  schema.kindOf = [](const StaticRow& row) { return static_cast<std::size_t>(row.kind); };
  schema.identity = [](const StaticRow& row) { return row.address; };
  return schema;
}

}  // namespace heapscape::gui
