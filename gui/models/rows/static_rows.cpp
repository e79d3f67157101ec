// SPDX-License-Identifier: MIT
#include "models/rows/static_rows.h"

#include <QStringList>
#include <functional>

#include "models/cells/item_painting.h"
#include "models/rows/retained_column.h"
#include "tables/root_tables.h"
#include "widgets/text/figures.h"
#include "widgets/text/value_text.h"

namespace heapscape::gui {
namespace {

using engine::ListedModule;
using engine::MetadataSource;
using engine::ModuleRow;

enum Kind : std::size_t { ReadyToRun, Il, Dynamic };

Kind kindOf(const ModuleRow& module) {
  if (module.isDynamic) return Dynamic;
  return module.isReadyToRun ? ReadyToRun : Il;
}

QString marksOf(const ModuleRow& module) {
  QStringList marks;
  if (module.isCollectible) marks << u"collectible"_s;
  if (module.isDynamic) marks << u"dynamic"_s;
  return marks.join(wordSeparator());
}

QString metadataText(MetadataSource source) {
  switch (source) {
    case MetadataSource::Dump:
      return u"in the dump"_s;
    case MetadataSource::File:
      return u"from a file"_s;
    case MetadataSource::Missing:
      break;
  }
  return u"missing"_s;
}

QString moduleCodeText(const ModuleRow& module) {
  if (module.isDynamic) return u"made at run time"_s;
  return module.isReadyToRun ? u"ReadyToRun"_s : u"IL"_s;
}

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

RowSchema<ListedModule> moduleSchema() {
  RowSchema<ListedModule> schema{.table = &engine::modulesTable()};
  // One by one: g++ 12 cannot compile a list of them that begins with a column that has a setup alone.
  const auto add = [&schema](ColumnSetup setup, std::function<QString(const ListedModule&)> words = nullptr) {
    RowColumn<ListedModule>& column = schema.columns.emplace_back();
    column.setup = std::move(setup);
    column.words = std::move(words);
    return &column;
  };
  add({.field = "name", .letters = 36});
  add({.field = "size"});
  add({.field = "readyToRun", .title = u"Code"_s, .letters = 19},
      [](const ListedModule& row) { return moduleCodeText(row.module); });
  add({.title = u"Marks"_s,
       .kind = engine::ColumnKind::Words,
       .letters = 24,
       .isSearched = true,
       .holdsContents = false},
      [](const ListedModule& row) { return marksOf(row.module); });
  add({.field = "loadContext", .letters = 18});
  add({.field = "metadata", .letters = 14}, [](const ListedModule& row) {
    return metadataText(row.module.metadata);
  })->isWarning = [](const ListedModule& row) { return row.module.metadata == MetadataSource::Missing; };
  add({.field = "address"});
  add({.field = "imageBase"});
  add({.field = "mvid", .letters = 38});
  add({.field = "path", .letters = 60});
  schema.kinds = {{.name = u"ReadyToRun"_s, .tip = u"Brought native code along."_s},
                  {.name = u"IL"_s, .tip = u"All of its code is compiled at run time."_s},
                  {.name = u"Made at run time"_s, .tip = u"By Reflection.Emit or for dynamic methods."_s}};
  schema.kindOf = [](const ListedModule& row) { return static_cast<std::size_t>(kindOf(row.module)); };
  schema.identity = [](const ListedModule& row) { return row.module.address; };
  return schema;
}

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
