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
      return QObject::tr("Ready");
    case FinalizerQueueKind::ReadyCritical:
      return QObject::tr("Ready, critical");
    case FinalizerQueueKind::Registered:
      break;
  }
  return QObject::tr("Registered");
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
      {.setup = {.field = "object"},
       .link =
           [](const FinalizerRow& row) {
             return RowLink{row.object, row.methodTable};
           }},
      {.setup = {.field = "type", .stretches = true},
       .link =
           [](const FinalizerRow& row) {
             return RowLink{{}, row.methodTable};
           }},
      retainedColumn<FinalizerRow>([](const FinalizerRow& row) { return bool(row.object); }),
      {.setup = {.field = "suppressed", .title = QObject::tr("Finalizer"), .letters = 16},
       .words =
           [](const FinalizerRow& row) {
             return row.isSuppressed ? QObject::tr("⊘ suppressed") : QObject::tr("will run");
           },
       .detail =
           [](const FinalizerRow& row) {
             return row.isSuppressed
                        ? QObject::tr(
                              "GC.SuppressFinalize was called, or the finalizer has run (bit 30 of the header).")
                        : QObject::tr("Its finalizer runs once the object is not reachable any more.");
           }},
      {.setup = {.field = "generation", .letters = 13},
       .words = [](const FinalizerRow& row) { return generationText(row.generation); }},
      {.setup = {.field = "heap", .letters = 7}},
  };
  schema.kinds = {
      {.name = QObject::tr("Ready"),
       .tip = QObject::tr("Not reachable any more: the finalizer thread takes them next.")},
      {.name = QObject::tr("Ready, critical"),
       .tip = QObject::tr("As ready, but of a CriticalFinalizerObject: they come after the others.")},
      {.name = QObject::tr("Registered"),
       .tip = QObject::tr("Alive when last looked at, with a finalizer still to run.")},
      {.name = QObject::tr("Suppressed"),
       .tip = QObject::tr("In a queue, but the finalizer will not run: GC.SuppressFinalize was called.")},
  };
  schema.kindOf = [](const FinalizerRow& row) { return kindOf(row); };
  schema.identity = [](const FinalizerRow& row) { return row.object; };
  return schema;
}

}  // namespace heapscape::gui
