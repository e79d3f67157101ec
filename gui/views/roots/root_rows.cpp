// SPDX-License-Identifier: MIT
#include "views/roots/root_rows.h"

#include <QObject>
#include <array>

#include "widgets/text/figures.h"
#include "widgets/text/hidden_contents.h"

namespace heapscape::gui {

namespace {

using engine::HeldRoot;
using engine::RootKind;

constexpr std::array kRootRowsKinds{
    RootKind::StrongHandle,   RootKind::PinnedHandle, RootKind::RefCountedHandle, RootKind::AsyncPinnedHandle,
    RootKind::SizedRefHandle, RootKind::Static,       RootKind::ThreadStatic,     RootKind::FinalizerReady,
    RootKind::Stack,          RootKind::Given};

QString kindTip(RootKind kind) {
  return kind == RootKind::Stack
             ? QObject::tr(
                   "What the frames of threads refer to. Exact, but for frames whose references cannot be told: there "
                   "words of the stack stand in for them, and are marked.")
             : QObject::tr("Exact: the runtime itself takes these for roots.");
}

}  // namespace

QString rootKindText(RootKind kind) {
  switch (kind) {
    case RootKind::StrongHandle:
      return QObject::tr("Strong handle");
    case RootKind::PinnedHandle:
      return QObject::tr("Pinned handle");
    case RootKind::RefCountedHandle:
      return QObject::tr("Reference-counted handle");
    case RootKind::AsyncPinnedHandle:
      return QObject::tr("Async-pinned handle");
    case RootKind::SizedRefHandle:
      return QObject::tr("Sized handle");
    case RootKind::Static:
      return QObject::tr("Static");
    case RootKind::ThreadStatic:
      return QObject::tr("Thread static");
    case RootKind::FinalizerReady:
      return QObject::tr("Ready to be finalized");
    case RootKind::Stack:
      return QObject::tr("Stack");
    case RootKind::Given:
      break;
  }
  return QObject::tr("Given");
}

RowSchema<HeldRoot> rootSchema() {
  RowSchema<HeldRoot> schema;
  schema.columns = {
      {.setup =
           {.title = QObject::tr("Root"), .letters = 30, .stretches = true, .isSearched = true, .holdsContents = false},
       .words = [](const HeldRoot& row) { return givenNameText(row.root.name); }},
      {.setup = {.title = QObject::tr("Kind"), .letters = 16, .holdsContents = false},
       .words = [](const HeldRoot& row) { return rootKindText(row.root.kind); },
       .detail = [](const HeldRoot& row) { return kindTip(row.root.kind); }},
      {.setup = {.title = QObject::tr("Retained alone"),
                 .tip = QObject::tr("What would be freed if this root let go: nothing if another one leads there too"),
                 .look = ColumnLook::Bytes,
                 .letters = 15},
       .number = [](const HeldRoot& row) { return row.alone.bytes; }},
      {.setup = {.title = QObject::tr("Its object"),
                 .tip = QObject::tr("What the object retains, however many roots lead to it"),
                 .look = ColumnLook::Bytes},
       .number = [](const HeldRoot& row) { return row.objectRetainedBytes; }},
      {.setup = {.title = QObject::tr("Object"), .look = ColumnLook::Address, .isSearched = true},
       .number = [](const HeldRoot& row) { return row.root.object.value; },
       .link =
           [](const HeldRoot& row) {
             return RowLink{row.root.object, row.methodTable};
           }},
      {.setup = {.title = QObject::tr("Type"), .look = ColumnLook::TypeName, .letters = 28, .isSearched = true},
       .words = [](const HeldRoot& row) { return fromEngine(row.typeName); },
       .link =
           [](const HeldRoot& row) {
             return RowLink{{}, row.methodTable};
           }},
      {.setup = {.title = QObject::tr("Slot"),
                 .tip = QObject::tr("Where the reference lies; nowhere for a register"),
                 .look = ColumnLook::Address,
                 .isSearched = true},
       .number = [](const HeldRoot& row) { return row.root.address.value; }},
  };
  for (const RootKind kind : kRootRowsKinds) schema.kinds.push_back({.name = rootKindText(kind), .tip = kindTip(kind)});
  schema.kindOf = [](const HeldRoot& row) { return static_cast<std::size_t>(row.root.kind); };
  schema.identity = [](const HeldRoot& row) { return row.root.address; };
  return schema;
}

}  // namespace heapscape::gui
