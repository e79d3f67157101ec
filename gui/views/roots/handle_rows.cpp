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
      return {u"Weak"_s, u"Does not keep its object alive; empty once that is finalized."_s};
    case HandleKind::WeakLong:
      return {u"Weak, long"_s,
              u"Does not keep its object alive; stays until that is collected, also after its finalizer."_s};
    case HandleKind::Strong:
      return {u"Strong"_s, u"Keeps its object alive: GCHandleType.Normal."_s};
    case HandleKind::Pinned:
      return {u"Pinned"_s, u"Keeps its object alive and where it is."_s};
    case HandleKind::Variable:
      return {u"Variable"_s, u"Its strength can be changed; used by the runtime alone."_s};
    case HandleKind::RefCounted:
      return {u"Reference-counted"_s, u"Strong while its count is above zero, weak else."_s};
    case HandleKind::Dependent:
      return {u"Dependent"_s, u"Keeps its secondary object alive as long as its object lives: ConditionalWeakTable."_s};
    case HandleKind::AsyncPinned:
      return {u"Async pinned"_s, u"Pins what an overlapped operation writes to."_s};
    case HandleKind::SizedRef:
      return {u"Sized"_s, u"Strong, and the GC measures what it keeps alive."_s};
    case HandleKind::WeakNativeCom:
      return {u"Weak, native COM"_s, u"Weak; can bring its object back by way of COM."_s};
    case HandleKind::WeakInteriorPointer:
      return {u"Weak interior"_s, u"Weak, with a pointer into its object that moves along."_s};
    case HandleKind::CrossReference:
      break;
  }
  return {u"Cross-reference"_s, u"Strong for objects that another runtime refers to."_s};
}

QString referencesDetail(const HandleRow& row) {
  if (!row.referenceCount) return {};
  return row.isHolding ? u"Native code holds the object, so that it stays alive."_s
                       : u"Native code holds it no more: a collection lets go of the object."_s;
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
             return row.object && row.typeName.empty() ? u"no object"_s : fromEngine(row.typeName);
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
