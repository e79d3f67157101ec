// SPDX-License-Identifier: MIT
#include <QObject>

#include "models/cells/words_delegate.h"
#include "tables/exception_tables.h"
#include "views/threads/thread_lists.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {

namespace {

using engine::ExceptionRow;

enum ExceptionGroup : std::size_t { InFlight, Thrown, NotThrown };

ExceptionGroup kindOf(const ExceptionRow& row) {
  if (!row.threads.empty()) return InFlight;
  return row.isThrown ? Thrown : NotThrown;
}

QString thrownInText(const ExceptionRow& row) {
  if (!row.isThrown) return u"not thrown"_s;
  return row.method.empty() ? u"not known"_s : fromEngine(row.method);
}

QString thrownInDetail(const ExceptionRow& row) {
  if (!row.isThrown) return u"It was only made, or its stack trace is gone."_s;
  QStringList lines{thrownInText(row)};
  if (!row.file.empty()) lines << u"%1:%2"_s.arg(fromEngine(row.file)).arg(row.line);
  if (row.frames > 0) lines << u"%1 in its trace"_s.arg(countedText(row.frames, u"frame"_s));
  return lines.join(QLatin1Char('\n'));
}

std::vector<RowKind> exceptionKinds() {
  return {
      {.name = u"In flight"_s,
       .tip = u"A thread is not done with them: they are on their way, or their handlers run."_s},
      {.name = u"Thrown"_s, .tip = u"Were thrown and caught, and are still on the heap."_s},
      {.name = u"Not thrown"_s, .tip = u"Were only made, or their traces are gone."_s},
  };
}

}  // namespace

QString idsText(const std::vector<std::uint32_t>& threads) {
  QStringList words;
  for (const std::uint32_t thread : threads) words << QString::number(thread);
  return words.join(wordSeparator());
}

RowSchema<ExceptionRow> exceptionSchema() {
  RowSchema<ExceptionRow> schema{.table = &engine::exceptionsTable()};
  schema.columns = {
      {.setup = {.field = "count", .letters = 8}},
      {.setup = {.field = "type", .letters = 30}, .type = &ExceptionRow::methodTable},
      {.setup = {.field = "message", .letters = 34, .stretches = true}},
      {.setup = {.field = "method", .letters = 38}, .words = thrownInText, .detail = thrownInDetail},
      {.setup = {.field = "threads", .letters = 12},
       .words = [](const ExceptionRow& row) { return idsText(row.threads); }},
      {.setup = {.field = "innerType", .letters = 22}},
      {.setup = {.field = "unreachable", .letters = 11}},
      {.setup = {.field = "object"}, .object = &ExceptionRow::object, .type = &ExceptionRow::methodTable},
  };
  schema.kinds = exceptionKinds();
  schema.kindOf = [](const ExceptionRow& row) { return static_cast<std::size_t>(kindOf(row)); };
  schema.identity = [](const ExceptionRow& row) { return row.object; };
  return schema;
}

}  // namespace heapscape::gui
