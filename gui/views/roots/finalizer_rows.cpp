// SPDX-License-Identifier: MIT
#include "views/roots/finalizer_rows.h"

#include <QObject>

#include "models/rows/retained_column.h"
#include "tables/root_tables.h"
#include "widgets/text/figures.h"
#include "widgets/text/heap_figures.h"

namespace heapscape::gui {

namespace {

using engine::FinalizerQueueKind;
using engine::FinalizerRow;

enum Kind : std::size_t { Ready, ReadyCritical, Registered, Suppressed };

QString queueText(FinalizerQueueKind queue) {
  switch (queue) {
    case FinalizerQueueKind::Ready:
      return u"Ready"_s;
    case FinalizerQueueKind::ReadyCritical:
      return u"Ready, critical"_s;
    case FinalizerQueueKind::Registered:
      break;
  }
  return u"Registered"_s;
}

Kind kindOf(const FinalizerRow& row) {
  if (row.isSuppressed) return Suppressed;
  switch (row.queue) {
    case FinalizerQueueKind::Ready:
      return Ready;
    case FinalizerQueueKind::ReadyCritical:
      return ReadyCritical;
    case FinalizerQueueKind::Registered:
      break;
  }
  return Registered;
}

}  // namespace

RowSchema<FinalizerRow> finalizerSchema() {
  RowSchema<FinalizerRow> schema{.table = &engine::finalizersTable()};
  schema.columns = {
      {.setup = {.field = "queue", .letters = 16},
       .words = [](const FinalizerRow& row) { return queueText(row.queue); }},
      {.setup = {.field = "object"}, .object = &FinalizerRow::object, .type = &FinalizerRow::methodTable},
      {.setup = {.field = "type", .letters = 28}, .type = &FinalizerRow::methodTable},
      {.setup = {.field = "value", .letters = 30, .stretches = true}},
      retainedColumn<FinalizerRow>([](const FinalizerRow& row) { return bool(row.object); }),
      {.setup = {.field = "suppressed", .title = u"Finalizer"_s, .letters = 16},
       .words = [](const FinalizerRow& row) { return row.isSuppressed ? u"⊘ suppressed"_s : u"will run"_s; },
       .detail =
           [](const FinalizerRow& row) {
             return row.isSuppressed
                        ? u"GC.SuppressFinalize was called, or the finalizer has run (bit 30 of the header)."_s
                        : u"Its finalizer runs once the object is not reachable any more."_s;
           }},
      {.setup = {.field = "generation", .letters = 13},
       .words = [](const FinalizerRow& row) { return generationText(row.generation); }},
      {.setup = {.field = "heap", .letters = 7}},
  };
  schema.kinds = {
      {.name = u"Ready"_s, .tip = u"Not reachable any more: the finalizer thread takes them next."_s},
      {.name = u"Ready, critical"_s,
       .tip = u"As ready, but of a CriticalFinalizerObject: they come after the others."_s},
      {.name = u"Registered"_s, .tip = u"Alive when last looked at, with a finalizer still to run."_s},
      {.name = u"Suppressed"_s,
       .tip = u"In a queue, but the finalizer will not run: GC.SuppressFinalize was called."_s},
  };
  schema.kindOf = [](const FinalizerRow& row) { return kindOf(row); };
  schema.identity = [](const FinalizerRow& row) { return row.object; };
  return schema;
}

}  // namespace heapscape::gui
