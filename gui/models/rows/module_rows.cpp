// SPDX-License-Identifier: MIT
#include "models/rows/module_rows.h"

#include <QObject>
#include <QStringList>

#include "models/cells/words_delegate.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {

namespace {

using engine::MetadataSource;
using engine::ModuleRow;

enum Kind : std::size_t { ReadyToRun, Il, Dynamic };

Kind kindOf(const ModuleRow& module) {
  if (module.isDynamic) return Dynamic;
  return module.isReadyToRun ? ReadyToRun : Il;
}

QString marksOf(const ModuleRow& module) {
  QStringList marks;
  if (module.isCollectible) marks << QObject::tr("collectible");
  if (module.isDynamic) marks << QObject::tr("dynamic");
  return marks.join(wordSeparator());
}

void addLeadingColumns(RowSchema<ModuleRow>& schema) {
  schema.columns.insert(
      schema.columns.end(),
      {
          {.setup = {.title = QObject::tr("Module"), .letters = 36, .isSearched = true, .holdsContents = false},
           .words = [](const ModuleRow& module) { return fromEngine(module.name); }},
          {.setup = {.title = QObject::tr("Size"), .look = ColumnLook::Bytes, .hidesZero = true},
           .number = [](const ModuleRow& module) { return module.sizeBytes; }},
          {.setup = {.title = QObject::tr("Code"), .letters = 19, .holdsContents = false}, .words = moduleCodeText},
          {.setup = {.title = QObject::tr("Marks"),
                     .look = ColumnLook::Words,
                     .letters = 24,
                     .isSearched = true,
                     .holdsContents = false},
           .words = marksOf},
          {.setup = {.title = QObject::tr("Load context"), .letters = 18, .isSearched = true, .holdsContents = false},
           .words = [](const ModuleRow& module) { return fromEngine(module.loadContext); }},
          {.setup = {.title = QObject::tr("Metadata"), .letters = 14, .holdsContents = false},
           .words = [](const ModuleRow& module) { return metadataText(module.metadata); },
           .isWarning = [](const ModuleRow& module) { return module.metadata == MetadataSource::Missing; }},
      });
}

}  // namespace

QString metadataText(MetadataSource source) {
  switch (source) {
    case MetadataSource::Dump:
      return QObject::tr("in the dump");
    case MetadataSource::File:
      return QObject::tr("from a file");
    case MetadataSource::Missing:
      break;
  }
  return QObject::tr("missing");
}

QString moduleCodeText(const ModuleRow& module) {
  if (module.isDynamic) return QObject::tr("made at run time");
  return module.isReadyToRun ? QObject::tr("ReadyToRun") : QObject::tr("IL");
}

QString loadContextText(const ModuleRow& module) {
  const QString context = fromEngine(module.loadContext);
  if (!module.isCollectible) return context;
  return context.isEmpty() ? QObject::tr("collectible") : QObject::tr("%1, collectible").arg(context);
}

RowSchema<ModuleRow> moduleSchema() {
  RowSchema<ModuleRow> schema;
  addLeadingColumns(schema);
  schema.columns.push_back({.setup = {.title = QObject::tr("Module at"),
                                      .tip = QObject::tr("Address of the runtime's Module"),
                                      .look = ColumnLook::Address,
                                      .isSearched = true},
                            .number = [](const ModuleRow& module) { return module.address.value; }});
  schema.columns.push_back({.setup = {.title = QObject::tr("Image at"),
                                      .tip = QObject::tr("Where the file is mapped; nowhere for one made at run time"),
                                      .look = ColumnLook::Address,
                                      .isSearched = true},
                            .number = [](const ModuleRow& module) { return module.imageBase.value; }});
  schema.columns.push_back(
      {.setup = {.title = QObject::tr("MVID"), .letters = 38, .isSearched = true, .holdsContents = false},
       .words = [](const ModuleRow& module) { return fromEngine(module.mvid); }});
  schema.columns.push_back({.setup = {.title = QObject::tr("Path on the machine of the dump"),
                                      .letters = 60,
                                      .isSearched = true,
                                      .holdsContents = false},
                            .words = [](const ModuleRow& module) { return fromEngine(module.path); }});
  schema.kinds = {
      {.name = QObject::tr("ReadyToRun"), .tip = QObject::tr("Brought native code along.")},
      {.name = QObject::tr("IL"), .tip = QObject::tr("All of its code is compiled at run time.")},
      {.name = QObject::tr("Made at run time"), .tip = QObject::tr("By Reflection.Emit or for dynamic methods.")}};
  schema.kindOf = [](const ModuleRow& module) { return static_cast<std::size_t>(kindOf(module)); };
  schema.identity = [](const ModuleRow& module) { return module.address; };
  return schema;
}

}  // namespace heapscape::gui
