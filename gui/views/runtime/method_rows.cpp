// SPDX-License-Identifier: MIT
#include "views/runtime/method_rows.h"

#include <QObject>
#include <QStringList>

#include "models/cells/words_delegate.h"
#include "tables/type_detail_tables.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {

namespace {

using engine::MethodState;
using engine::TypeMethod;

enum MethodGroup : std::size_t { Introduced, Inherited, NotVirtual };

MethodGroup kindOf(const TypeMethod& method) {
  if (method.isInherited) return Inherited;
  return method.isVirtual ? Introduced : NotVirtual;
}

QString stateText(MethodState state, engine::Address code) {
  switch (state) {
    case MethodState::None:
      return code ? QStringLiteral("◇ the runtime's") : QStringLiteral("○ no code yet");
    case MethodState::ReadyToRun:
      return QStringLiteral("◆ ReadyToRun");
    case MethodState::Jitted:
      break;
  }
  return QStringLiteral("● jitted");
}

QString codeText(const engine::MethodCode& code) {
  QStringList parts{stateText(code.state, code.start)};
  if (!code.tier.empty()) parts << fromEngine(code.tier);
  if (code.sizeBytes) parts << exactBytesText(code.sizeBytes);
  parts << QStringLiteral("at %1").arg(addressText(code.start));
  if (code.isActive) parts << QStringLiteral("calls run it");
  return parts.join(QStringLiteral(", "));
}

QString stateDetail(const TypeMethod& method) {
  QStringList lines;
  switch (method.state) {
    case MethodState::None:
      lines << (method.code ? QStringLiteral("Runs code of the runtime itself.")
                            : QStringLiteral("Never called: it is compiled when it first is."));
      break;
    case MethodState::ReadyToRun:
      lines << QStringLiteral("Runs native code that the module brought along.");
      break;
    case MethodState::Jitted:
      lines << QStringLiteral("Runs code that the just-in-time compiler has made.");
  }
  if (method.versions.size() > 1) {
    lines << QStringLiteral("There are %1 versions of it:").arg(countText(method.versions.size()));
    for (const engine::MethodCode& code : method.versions) lines << codeText(code);
  }
  return lines.join(QLatin1Char('\n'));
}

QString marksOf(const TypeMethod& method) {
  QStringList marks;
  if (method.isVirtual) marks << QStringLiteral("virtual");
  if (method.isInherited) marks << QStringLiteral("inherited");
  if (method.isShared) marks << QStringLiteral("shared code");
  return marks.join(wordSeparator());
}

QString methodDetail(const TypeMethod& method) {
  return QStringLiteral("%1.%2\nMethodDesc %3, token 0x%4")
      .arg(fromEngine(method.declaringType), fromEngine(method.name), addressText(method.methodDesc))
      .arg(method.token, 8, 16, QLatin1Char('0'));
}

// Which code runs, how well it is optimised, and how long it is.
void addCodeColumns(RowSchema<TypeMethod>& schema) {
  schema.columns.push_back({.setup = {.field = "state", .letters = 15},
                            .words = [](const TypeMethod& method) { return stateText(method.state, method.code); },
                            .detail = stateDetail});
  schema.columns.push_back({.setup = {.field = "tier", .letters = 12}});
  schema.columns.push_back({.setup = {.field = "codeBytes"}});
}

}  // namespace

RowSchema<TypeMethod> instantiationSchema() {
  RowSchema<TypeMethod> schema{.table = &engine::methodInstantiationsTable()};
  schema.columns.push_back({.setup = {.field = "name", .letters = 40, .stretches = true}, .detail = methodDetail});
  schema.columns.push_back({.setup = {.field = "typeArguments", .letters = 30},
                            .words = [](const TypeMethod& method) { return wordsText(method.methodArguments); }});
  addCodeColumns(schema);
  schema.columns.push_back({.setup = {.field = "sharedMethodDesc"}, .detail = [](const TypeMethod& method) {
                              return method.sharedMethodDesc
                                         ? QStringLiteral("It only adds its type arguments to code for several.")
                                         : QString();
                            }});
  for (const char* field : {"code", "methodDesc"}) schema.columns.push_back({.setup = {.field = field}});
  schema.identity = [](const TypeMethod& method) { return method.methodDesc; };
  return schema;
}

RowSchema<TypeMethod> methodSchema() {
  RowSchema<TypeMethod> schema{.table = &engine::methodsTable()};
  schema.columns.push_back({.setup = {.field = "slot", .letters = 6}});
  schema.columns.push_back({.setup = {.field = "name", .letters = 40, .stretches = true}, .detail = methodDetail});
  addCodeColumns(schema);
  schema.columns.push_back({.setup = {.title = QStringLiteral("Marks"),
                                      .kind = engine::ColumnKind::Words,
                                      .letters = 22,
                                      .holdsContents = false},
                            .words = marksOf});
  schema.columns.push_back({.setup = {.field = "declaringType", .letters = 22}});
  for (const char* field : {"entry", "code", "methodDesc"}) schema.columns.push_back({.setup = {.field = field}});
  schema.kinds = {
      {.name = QStringLiteral("Own virtual"), .tip = QStringLiteral("Virtual slots that the type fills itself.")},
      {.name = QStringLiteral("Inherited"), .tip = QStringLiteral("Virtual slots with the method of a parent.")},
      {.name = QStringLiteral("Not virtual"), .tip = QStringLiteral("Methods outside of the vtable.")},
  };
  schema.kindOf = [](const TypeMethod& method) { return static_cast<std::size_t>(kindOf(method)); };
  schema.identity = [](const TypeMethod& method) { return method.methodDesc; };
  return schema;
}

}  // namespace heapscape::gui
