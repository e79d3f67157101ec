// SPDX-License-Identifier: MIT
#include "views/roots/root_rows.h"

#include <QObject>
#include <array>

#include "tables/root_tables.h"
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
             ? QStringLiteral(
                   "What the frames of threads refer to. Exact, but for frames whose references cannot be told: there "
                   "words of the stack stand in for them, and are marked.")
             : QStringLiteral("Exact: the runtime itself takes these for roots.");
}

}  // namespace

QString rootKindText(RootKind kind) {
  switch (kind) {
    case RootKind::StrongHandle:
      return QStringLiteral("Strong handle");
    case RootKind::PinnedHandle:
      return QStringLiteral("Pinned handle");
    case RootKind::RefCountedHandle:
      return QStringLiteral("Reference-counted handle");
    case RootKind::AsyncPinnedHandle:
      return QStringLiteral("Async-pinned handle");
    case RootKind::SizedRefHandle:
      return QStringLiteral("Sized handle");
    case RootKind::Static:
      return QStringLiteral("Static");
    case RootKind::ThreadStatic:
      return QStringLiteral("Thread static");
    case RootKind::FinalizerReady:
      return QStringLiteral("Ready to be finalized");
    case RootKind::Stack:
      return QStringLiteral("Stack");
    case RootKind::Given:
      break;
  }
  return QStringLiteral("Given");
}

RowSchema<HeldRoot> rootSchema() {
  RowSchema<HeldRoot> schema{.table = &engine::rootsTable()};
  schema.columns = {
      {.setup = {.field = "name", .letters = 30, .isNamed = true, .holdsContents = false},
       .words = [](const HeldRoot& row) { return givenNameText(row.root.name); }},
      {.setup = {.field = "kind", .letters = 16},
       .words = [](const HeldRoot& row) { return rootKindText(row.root.kind); },
       .detail = [](const HeldRoot& row) { return kindTip(row.root.kind); }},
      {.setup = {.field = "alone", .letters = 15}},
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

}  // namespace heapscape::gui
