// SPDX-License-Identifier: MIT
#include "models/rows/module_rows.h"

#include <QObject>
#include <QStringList>
#include <functional>

#include "models/cells/words_delegate.h"
#include "widgets/text/figures.h"

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

}  // namespace heapscape::gui
