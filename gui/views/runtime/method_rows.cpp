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
      return code ? u"◇ the runtime's"_s : u"○ no code yet"_s;
    case MethodState::ReadyToRun:
      return u"◆ ReadyToRun"_s;
    case MethodState::Jitted:
      break;
  }
  return u"● jitted"_s;
}

QString codeText(const engine::MethodCode& code) {
  QStringList parts{stateText(code.state, code.start)};
  if (!code.tier.empty()) parts << fromEngine(code.tier);
  if (code.sizeBytes) parts << exactBytesText(code.sizeBytes);
  parts << u"at %1"_s.arg(addressText(code.start));
  if (code.isActive) parts << u"calls run it"_s;
  return parts.join(u", "_s);
}

QString stateDetail(const TypeMethod& method) {
  QStringList lines;
  switch (method.state) {
    case MethodState::None:
      lines << (method.code ? u"Runs code of the runtime itself."_s
                            : u"Never called: it is compiled when it first is."_s);
      break;
    case MethodState::ReadyToRun:
      lines << u"Runs native code that the module brought along."_s;
      break;
    case MethodState::Jitted:
      lines << u"Runs code that the just-in-time compiler has made."_s;
  }
  if (method.versions.size() > 1) {
    lines << u"There are %1 versions of it:"_s.arg(countText(method.versions.size()));
    for (const engine::MethodCode& code : method.versions) lines << codeText(code);
  }
  return lines.join(QLatin1Char('\n'));
}

QString marksOf(const TypeMethod& method) {
  QStringList marks;
  if (method.isVirtual) marks << u"virtual"_s;
  if (method.isInherited) marks << u"inherited"_s;
  if (method.isShared) marks << u"shared code"_s;
  return marks.join(wordSeparator());
}

QString methodDetail(const TypeMethod& method) {
  return u"%1.%2\nMethodDesc %3, token 0x%4"_s
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
                              return method.sharedMethodDesc ? u"It only adds its type arguments to code for several."_s
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
  schema.columns.push_back(
      {.setup = {.title = u"Marks"_s, .kind = engine::ColumnKind::Words, .letters = 22, .holdsContents = false},
       .words = marksOf});
  schema.columns.push_back({.setup = {.field = "declaringType", .letters = 22}});
  for (const char* field : {"entry", "code", "methodDesc"}) schema.columns.push_back({.setup = {.field = field}});
  schema.kinds = {
      {.name = u"Own virtual"_s, .tip = u"Virtual slots that the type fills itself."_s},
      {.name = u"Inherited"_s, .tip = u"Virtual slots with the method of a parent."_s},
      {.name = u"Not virtual"_s, .tip = u"Methods outside of the vtable."_s},
  };
  schema.kindOf = [](const TypeMethod& method) { return static_cast<std::size_t>(kindOf(method)); };
  schema.identity = [](const TypeMethod& method) { return method.methodDesc; };
  return schema;
}

}  // namespace heapscape::gui
