// SPDX-License-Identifier: MIT
#include "views/roots/finalizer_rows.h"

#include <QObject>

#include "models/rows/retained_column.h"
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
  RowSchema<FinalizerRow> schema;
  schema.columns = {
      {.setup = {.title = QObject::tr("Queue"), .letters = 16, .holdsContents = false},
       .words = [](const FinalizerRow& row) { return queueText(row.queue); }},
      {.setup = {.title = QObject::tr("Object"), .look = ColumnLook::Address, .isSearched = true},
       .number = [](const FinalizerRow& row) { return row.object.value; },
       .link =
           [](const FinalizerRow& row) {
             return RowLink{row.object, row.methodTable};
           }},
      {.setup = {.title = QObject::tr("Type"), .look = ColumnLook::TypeName, .stretches = true, .isSearched = true},
       .words = [](const FinalizerRow& row) { return fromEngine(row.typeName); },
       .link =
           [](const FinalizerRow& row) {
             return RowLink{{}, row.methodTable};
           }},
      retainedColumn<FinalizerRow>(QObject::tr("What would be freed with the object"),
                                   [](const FinalizerRow& row) { return bool(row.object); }),
      {.setup = {.title = QObject::tr("Finalizer"), .letters = 16, .holdsContents = false},
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
      {.setup = {.title = QObject::tr("Generation"), .letters = 13, .holdsContents = false},
       .words = [](const FinalizerRow& row) { return generationText(row.generation); }},
      {.setup = {.title = QObject::tr("Heap"), .look = ColumnLook::Count, .letters = 7},
       .number = [](const FinalizerRow& row) { return std::uint64_t{row.heap}; }},
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
