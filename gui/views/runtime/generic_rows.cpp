// SPDX-License-Identifier: MIT
#include "views/runtime/generic_rows.h"

#include <QObject>

#include "tables/generic_tables.h"
#include "tables/type_detail_tables.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {

using engine::GenericDefinition;
using engine::TypeArgument;
using engine::TypeLink;

namespace {

QString codeDetail(const GenericDefinition& definition) {
  QString text = u"%1, of it %2 jitted; %3 of %4 with code"_s.arg(
      exactBytesText(definition.codeBytes), exactBytesText(definition.jittedBytes),
      countText(definition.methodsWithCode), countedText(definition.methods, u"method"_s));
  if (definition.codeSizeUnknown > 0) {
    text += QLatin1Char('\n') +
            u"The code size of %1 is unknown."_s.arg(countedText(definition.codeSizeUnknown, u"method"_s));
  }
  return text;
}

}  // namespace

RowSchema<TypeLink> typeLinkSchema(const QString& title) {
  RowSchema<TypeLink> schema{.table = &engine::typeLinksTable()};
  schema.columns.push_back(
      {.setup = {.field = "name", .title = title, .stretches = true}, .type = &TypeLink::methodTable});
  schema.columns.push_back({.setup = {.field = "methodTable"}});
  schema.identity = [](const TypeLink& type) { return type.methodTable; };
  return schema;
}

RowSchema<TypeArgument> typeArgumentSchema() {
  RowSchema<TypeArgument> schema{.table = &engine::typeArgumentsTable()};
  schema.columns.push_back({.setup = {.field = "parameter", .letters = 14}});
  schema.columns.push_back({.setup = {.field = "name", .stretches = true},
                            .type = [](const TypeArgument& argument) { return argument.argument.methodTable; }});
  schema.columns.push_back({.setup = {.field = "canonical", .letters = 26}});
  schema.columns.push_back(
      {.setup = {.field = "shared", .title = u"Code"_s, .letters = 30}, .words = [](const TypeArgument& argument) {
         return argument.isShared ? u"⇄ shared whatever it is"_s : u"= only for this argument"_s;
       }});
  return schema;
}

RowSchema<GenericDefinition> genericSchema() {
  RowSchema<GenericDefinition> schema{.table = &engine::genericsTable()};
  schema.columns.push_back(
      {.setup = {.field = "definition", .stretches = true}, .detail = [](const GenericDefinition& definition) {
         return fromEngine(definition.name) + QLatin1Char('\n') + fromEngine(definition.assembly);
       }});
  schema.columns.push_back({.setup = {.field = "codeBytes"}, .detail = codeDetail});
  schema.columns.push_back({.setup = {.field = "jittedBytes"}});
  for (const char* field : {"methodTables", "codeSets", "methods"})
    schema.columns.push_back({.setup = {.field = field, .letters = 13}});
  schema.columns.push_back({.setup = {.field = "methodTableBytes"}});
  return schema;
}

}  // namespace heapscape::gui
