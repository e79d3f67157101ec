// SPDX-License-Identifier: MIT
#include "views/runtime/generic_rows.h"

#include <QObject>

#include "widgets/text/counted_text.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {

using engine::GenericDefinition;
using engine::TypeArgument;
using engine::TypeLink;

namespace {

RowColumn<GenericDefinition> countColumn(const QString& title, const QString& tip,
                                         std::uint32_t GenericDefinition::*member) {
  return {.setup = {.title = title, .tip = tip, .look = ColumnLook::Count, .letters = 13},
          .number = [member](const GenericDefinition& definition) { return std::uint64_t{definition.*member}; }};
}

RowColumn<GenericDefinition> bytesColumn(const QString& title, const QString& tip,
                                         std::uint64_t GenericDefinition::*member) {
  return {.setup = {.title = title, .tip = tip, .look = ColumnLook::Bytes},
          .number = [member](const GenericDefinition& definition) { return definition.*member; }};
}

QString codeDetail(const GenericDefinition& definition) {
  QString text =
      QObject::tr("%1, of it %2 jitted; %3 of %4 with code")
          .arg(exactBytesText(definition.codeBytes), exactBytesText(definition.jittedBytes),
               countText(definition.methodsWithCode), countedText(definition.methods, QObject::tr("method")));
  if (definition.codeSizeUnknown > 0) {
    text += QLatin1Char('\n') + QObject::tr("The code size of %1 is unknown.")
                                    .arg(countedText(definition.codeSizeUnknown, QObject::tr("method")));
  }
  return text;
}

}  // namespace

RowSchema<TypeLink> typeLinkSchema(const QString& title) {
  RowSchema<TypeLink> schema;
  schema.columns = {
      {.setup = {.title = title, .look = ColumnLook::TypeName, .stretches = true, .isSearched = true},
       .words = [](const TypeLink& type) { return fromEngine(type.name); },
       .link =
           [](const TypeLink& type) {
             return RowLink{{}, type.methodTable};
           }},
      {.setup = {.title = QObject::tr("Method table"), .look = ColumnLook::Address, .isSearched = true},
       .number = [](const TypeLink& type) { return type.methodTable.value; }},
  };
  schema.identity = [](const TypeLink& type) { return type.methodTable; };
  return schema;
}

RowSchema<TypeArgument> typeArgumentSchema() {
  RowSchema<TypeArgument> schema;
  schema.columns = {
      {.setup = {.title = QObject::tr("Parameter"), .letters = 14, .holdsContents = false},
       .words = [](const TypeArgument& argument) { return fromEngine(argument.parameter); }},
      {.setup = {.title = QObject::tr("Argument"), .look = ColumnLook::TypeName, .stretches = true, .isSearched = true},
       .words = [](const TypeArgument& argument) { return fromEngine(argument.argument.name); },
       .link =
           [](const TypeArgument& argument) {
             return RowLink{{}, argument.argument.methodTable};
           }},
      {.setup = {.title = QObject::tr("In shared code"),
                 .tip = QObject::tr("References stand for one another as System.__Canon; value types do not"),
                 .look = ColumnLook::TypeName,
                 .letters = 26},
       .words = [](const TypeArgument& argument) { return fromEngine(argument.canonicalName); }},
      {.setup = {.title = QObject::tr("Code"), .letters = 30, .holdsContents = false},
       .words =
           [](const TypeArgument& argument) {
             return argument.isShared ? QObject::tr("⇄ shared whatever it is")
                                      : QObject::tr("= only for this argument");
           }},
  };
  return schema;
}

RowSchema<GenericDefinition> genericSchema() {
  RowSchema<GenericDefinition> schema;
  schema.columns = {
      {.setup =
           {.title = QObject::tr("Generic type"), .look = ColumnLook::TypeName, .stretches = true, .isSearched = true},
       .words = [](const GenericDefinition& definition) { return fromEngine(definition.name); },
       .detail =
           [](const GenericDefinition& definition) {
             return fromEngine(definition.name) + QLatin1Char('\n') + fromEngine(definition.assembly);
           }},
      bytesColumn(QObject::tr("Code"), QObject::tr("Native code of all its methods, as far as its size is known"),
                  &GenericDefinition::codeBytes),
      bytesColumn(QObject::tr("Jitted"), QObject::tr("The part of the code that was compiled at run time"),
                  &GenericDefinition::jittedBytes),
      countColumn(QObject::tr("Instantiations"), QObject::tr("Method tables that the runtime has made of it"),
                  &GenericDefinition::methodTables),
      countColumn(QObject::tr("Code sets"), QObject::tr("Canonical method tables: how many times its code may exist"),
                  &GenericDefinition::codeSets),
      countColumn(QObject::tr("Methods"), QObject::tr("MethodDescs of all its instantiations"),
                  &GenericDefinition::methods),
      bytesColumn(QObject::tr("Tables"), QObject::tr("Method tables and dictionaries"),
                  &GenericDefinition::methodTableBytes),
  };
  schema.columns[1].detail = codeDetail;
  return schema;
}

}  // namespace heapscape::gui
