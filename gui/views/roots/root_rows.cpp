// SPDX-License-Identifier: MIT
#include "views/roots/root_rows.h"

#include <array>

#include "models/rows/retained_column.h"
#include "tables/root_tables.h"
#include "widgets/text/figures.h"
#include "widgets/text/hidden_contents.h"

namespace heapscape::gui {
namespace {

using engine::HeldRoot;
using engine::RootKind;

constexpr std::array kRootRowsKinds{RootKind::StrongHandle,
                                    RootKind::PinnedHandle,
                                    RootKind::RefCountedHandle,
                                    RootKind::AsyncPinnedHandle,
                                    RootKind::SizedRefHandle,
                                    RootKind::DependentHandle,
                                    RootKind::Static,
                                    RootKind::ThreadStatic,
                                    RootKind::FinalizerReady,
                                    RootKind::Stack,
                                    RootKind::Given,
                                    RootKind::Other};

QString kindTip(RootKind kind) {
  return kind == RootKind::Stack
             ? u"What the frames of threads refer to. Exact, but for frames whose references are not known: there "
               "words of the stack stand in for them, and are marked."_s
             : u"Exact: the runtime itself takes these for roots."_s;
}

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
                       : u"Native code holds it no more: the next collection may free the object."_s;
}

}  // namespace

QString rootKindText(RootKind kind) {
  switch (kind) {
    case RootKind::StrongHandle:
      return u"Strong handle"_s;
    case RootKind::PinnedHandle:
      return u"Pinned handle"_s;
    case RootKind::RefCountedHandle:
      return u"Reference-counted handle"_s;
    case RootKind::AsyncPinnedHandle:
      return u"Async-pinned handle"_s;
    case RootKind::SizedRefHandle:
      return u"Sized handle"_s;
    case RootKind::DependentHandle:
      return u"Dependent handle"_s;
    case RootKind::Other:
      return u"Other"_s;
    case RootKind::Static:
      return u"Static"_s;
    case RootKind::ThreadStatic:
      return u"Thread static"_s;
    case RootKind::FinalizerReady:
      return u"Ready to be finalized"_s;
    case RootKind::Stack:
      return u"Stack"_s;
    case RootKind::Given:
      break;
  }
  return u"Given"_s;
}

RowSchema<HeldRoot> rootSchema() {
  RowSchema<HeldRoot> schema{.table = &engine::rootsTable()};
  schema.columns = {
      {.setup = {.field = "name", .letters = 30, .isNamed = true, .holdsContents = false},
       .words = [](const HeldRoot& row) { return givenNameText(row.root.name); }},
      {.setup = {.field = "kind", .letters = 16},
       .words = [](const HeldRoot& row) { return rootKindText(row.root.kind); },
       .detail = [](const HeldRoot& row) { return kindTip(row.root.kind); }},
      {.setup = {.field = "alone", .letters = 28}},
      {.setup = {.field = "retained", .letters = 15}},
      {.setup = {.field = "object"},
       .object = [](const HeldRoot& row) { return row.root.object; },
       .type = &HeldRoot::methodTable},
      {.setup = {.field = "type", .letters = 28}, .type = &HeldRoot::methodTable},
      {.setup = {.field = "value", .letters = 30, .stretches = true}},
  };
  for (const RootKind kind : kRootRowsKinds) schema.kinds.push_back({.name = rootKindText(kind), .tip = kindTip(kind)});
  schema.kindOf = [](const HeldRoot& row) { return static_cast<std::size_t>(row.root.kind); };
  schema.identity = [](const HeldRoot& row) { return row.root.address; };
  return schema;
}

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
