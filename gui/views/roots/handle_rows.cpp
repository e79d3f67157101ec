// SPDX-License-Identifier: MIT
#include "views/roots/handle_rows.h"

#include <QObject>

#include "models/rows/retained_column.h"
#include "tables/root_tables.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {

namespace {

using engine::HandleKind;
using engine::HandleRow;

struct KindWords {
  QString name;
  QString tip;
};

KindWords wordsOf(HandleKind kind) {
  switch (kind) {
    case HandleKind::WeakShort:
      return {QStringLiteral("Weak"), QStringLiteral("Does not keep its object alive; empty once that is finalized.")};
    case HandleKind::WeakLong:
      return {
          QStringLiteral("Weak, long"),
          QStringLiteral("Does not keep its object alive; stays until that is collected, also after its finalizer.")};
    case HandleKind::Strong:
      return {QStringLiteral("Strong"), QStringLiteral("Keeps its object alive: GCHandleType.Normal.")};
    case HandleKind::Pinned:
      return {QStringLiteral("Pinned"), QStringLiteral("Keeps its object alive and where it is.")};
    case HandleKind::Variable:
      return {QStringLiteral("Variable"), QStringLiteral("Its strength can be changed; used by the runtime alone.")};
    case HandleKind::RefCounted:
      return {QStringLiteral("Reference-counted"), QStringLiteral("Strong while its count is above zero, weak else.")};
    case HandleKind::Dependent:
      return {QStringLiteral("Dependent"),
              QStringLiteral("Keeps its secondary object alive as long as its object lives: ConditionalWeakTable.")};
    case HandleKind::AsyncPinned:
      return {QStringLiteral("Async pinned"), QStringLiteral("Pins what an overlapped operation writes to.")};
    case HandleKind::SizedRef:
      return {QStringLiteral("Sized"), QStringLiteral("Strong, and the GC measures what it keeps alive.")};
    case HandleKind::WeakNativeCom:
      return {QStringLiteral("Weak, native COM"), QStringLiteral("Weak; can bring its object back by way of COM.")};
    case HandleKind::WeakInteriorPointer:
      return {QStringLiteral("Weak interior"),
              QStringLiteral("Weak, with a pointer into its object that moves along.")};
    case HandleKind::CrossReference:
      break;
  }
  return {QStringLiteral("Cross-reference"), QStringLiteral("Strong for objects that another runtime refers to.")};
}

QString referencesDetail(const HandleRow& row) {
  if (!row.referenceCount) return {};
  return row.isHolding ? QStringLiteral("Native code holds the object, so that it stays alive.")
                       : QStringLiteral("Native code holds it no more: a collection lets go of the object.");
}

}  // namespace

QString handleKindText(HandleKind kind) {
  return wordsOf(kind).name;
}

RowSchema<HandleRow> handleSchema() {
  RowSchema<HandleRow> schema{.table = &engine::handlesTable()};
  schema.columns = {
      {.setup = {.field = "kind", .letters = 16},
       .words = [](const HandleRow& row) { return handleKindText(row.kind); },
       .detail = [](const HandleRow& row) { return wordsOf(row.kind).tip; }},
      {.setup = {.field = "object"}, .object = &HandleRow::object, .type = &HandleRow::methodTable},
      {.setup = {.field = "type", .letters = 28},
       .words =
           [](const HandleRow& row) {
             return row.object && row.typeName.empty() ? QStringLiteral("no object") : fromEngine(row.typeName);
           },
       .type = &HandleRow::methodTable,
       .isWarning = [](const HandleRow& row) { return row.object && row.typeName.empty(); }},
      {.setup = {.field = "value", .letters = 30, .stretches = true}},
      {.setup = {.field = "referenceCount", .letters = 11},
       .detail = referencesDetail,
       .isWarning = [](const HandleRow& row) { return !row.isHolding; }},
      retainedColumn<HandleRow>([](const HandleRow& row) { return bool(row.object); }),
      {.setup = {.field = "dependent"},
       .object = &HandleRow::dependent,
       .detail = [](const HandleRow& row) { return fromEngine(row.dependentType); }},
      {.setup = {.field = "dependentType", .letters = 22}},
  };
  for (const HandleKind kind : engine::kHandleKinds) {
    const KindWords words = wordsOf(kind);
    schema.kinds.push_back({.name = words.name, .tip = words.tip});
  }
  schema.kindOf = [](const HandleRow& row) { return static_cast<std::size_t>(row.kind); };
  schema.identity = [](const HandleRow& row) { return row.address; };
  return schema;
}

}  // namespace heapscape::gui
