// SPDX-License-Identifier: MIT
#include <QObject>

#include "models/cells/words_delegate.h"
#include "tables/local_value_tables.h"
#include "views/threads/thread_lists.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {

namespace {

using engine::LocalKind;
using engine::LocalValueRow;

QString localKindText(const LocalValueRow& row) {
  return row.kind == LocalKind::ThreadLocal ? u"ThreadLocal"_s : u"AsyncLocal"_s;
}

QString threadsText(const LocalValueRow& row) {
  return row.hasThreadEnded ? u"ended"_s : idsText(row.threads);
}

QString threadsDetail(const LocalValueRow& row) {
  if (row.hasThreadEnded)
    return u"The thread has ended; the ThreadLocal tracks the values of all threads and keeps this one."_s;
  if (row.kind == LocalKind::ThreadLocal) return u"The thread that has the value."_s;
  return row.threads.empty() ? u"No thread runs in the context now."_s : u"Threads that run in the context."_s;
}

QString nameDetail(const LocalValueRow& row) {
  return row.name.empty() ? u"No static field refers to it, as far as is known."_s : fromEngine(row.name);
}

}  // namespace

RowSchema<LocalValueRow> localValueSchema() {
  RowSchema<LocalValueRow> schema{.table = &engine::localsTable()};
  schema.columns = {
      {.setup = {.field = "kind", .letters = 12}, .words = localKindText},
      {.setup = {.field = "name", .letters = 26}, .detail = nameDetail},
      {.setup = {.field = "threads", .letters = 10}, .words = threadsText, .detail = threadsDetail},
      {.setup = {.field = "holders", .letters = 28},
       .words = [](const LocalValueRow& row) { return wordsText(row.holders); }},
      {.setup = {.field = "value", .letters = 30, .stretches = true},
       .isWarning = [](const LocalValueRow& row) { return !row.damage.empty(); }},
      {.setup = {.field = "valueObject"}, .object = &LocalValueRow::valueObject},
      {.setup = {.field = "object"}, .object = &LocalValueRow::object, .type = &LocalValueRow::methodTable},
      {.setup = {.field = "type", .letters = 26}},
  };
  schema.kinds = {
      {.name = u"ThreadLocal"_s, .tip = u"A value for each thread."_s},
      {.name = u"AsyncLocal"_s, .tip = u"A value for each flow of async methods."_s},
  };
  schema.kindOf = [](const LocalValueRow& row) { return static_cast<std::size_t>(row.kind); };
  schema.identity = [](const LocalValueRow& row) { return row.object; };
  return schema;
}

}  // namespace heapscape::gui
