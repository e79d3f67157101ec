// SPDX-License-Identifier: MIT
#include "models/rows/static_rows.h"

#include <QObject>

#include "models/rows/retained_column.h"
#include "tables/root_tables.h"
#include "widgets/text/figures.h"
#include "widgets/text/value_text.h"

namespace heapscape::gui {

namespace {

using engine::StaticKind;
using engine::StaticRow;

QString kindText(StaticKind kind) {
  switch (kind) {
    case StaticKind::Normal:
      return u"Normal"_s;
    case StaticKind::Thread:
      return u"Thread"_s;
    case StaticKind::Rva:
      break;
  }
  return u"RVA"_s;
}

QString valueCell(const StaticRow& row) {
  const engine::Value& value = row.value.value;
  if (row.isInitialised && value.kind == engine::ValueKind::Damaged && !value.damage.empty()) {
    return fromEngine(value.damage);
  }
  if (row.isInitialised) return valueText(value);
  return row.kind == StaticKind::Thread ? u"not on this thread yet"_s : u"not initialised yet"_s;
}

QString valueDetail(const StaticRow& row) {
  if (!row.isInitialised) return u"The runtime makes a type's statics when the type is first used."_s;
  QString tip = valueTip(row.value.value);
  if (row.isBoxed) tip += QLatin1Char('\n') + u"A value type: the slot refers to a box that holds it."_s;
  return tip;
}

std::vector<RowKind> staticKinds() {
  const QString context = u"Context statics, a fourth kind of the .NET Framework, do not exist in CoreCLR."_s;
  return {
      {.name = kindText(StaticKind::Normal), .tip = u"One for the whole program."_s + QLatin1Char('\n') + context},
      {.name = kindText(StaticKind::Thread),
       .tip = u"[ThreadStatic]: one for each thread."_s + QLatin1Char('\n') + context},
      {.name = kindText(StaticKind::Rva),
       .tip = u"Data that lies in the assembly's image."_s + QLatin1Char('\n') + context},
  };
}

void addValueColumns(RowSchema<StaticRow>& schema) {
  schema.columns.insert(
      schema.columns.end(),
      {
          {.setup = {.field = "text", .letters = 30, .stretches = true},
           .words = valueCell,
           .detail = valueDetail,
           .isWarning = [](const StaticRow& row) { return row.isInitialised && isDoubtful(row.value.value); }},
          {.setup = {.field = "object"},
           .object = [](const StaticRow& row) { return row.value.value.object; },
           .type = [](const StaticRow& row) { return row.value.value.methodTable; }},
          retainedColumn<StaticRow>([](const StaticRow& row) { return bool(row.value.value.object); }),
      });
}

}  // namespace

RowSchema<StaticRow> staticSchema(bool isOfOneType) {
  RowSchema<StaticRow> schema{.table = &engine::staticsTable()};
  if (!isOfOneType) {
    schema.columns.push_back({.setup = {.field = "type", .letters = 34},
                              .type = &StaticRow::methodTable,
                              .detail = [](const StaticRow& row) {
                                return fromEngine(row.typeName) + QLatin1Char('\n') + fromEngine(row.assembly);
                              }});
  }
  schema.columns.push_back({.setup = {.field = "field", .letters = 22, .isNamed = true},
                            .words = [](const StaticRow& row) { return fieldNameText(row.field); },
                            .detail = [](const StaticRow& row) { return fromEngine(row.field); }});
  schema.columns.push_back(
      {.setup = {.field = "kind", .letters = 9}, .words = [](const StaticRow& row) { return kindText(row.kind); }});
  schema.columns.push_back({.setup = {.field = "threadId", .letters = 7}});
  addValueColumns(schema);
  schema.columns.push_back({.setup = {.field = "fieldType", .letters = 24}});
  schema.kinds = staticKinds();
  schema.kindOf = [](const StaticRow& row) { return static_cast<std::size_t>(row.kind); };
  schema.identity = [](const StaticRow& row) { return row.address; };
  return schema;
}

}  // namespace heapscape::gui
