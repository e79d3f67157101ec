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
             ? u"What the frames of threads refer to. Exact, but for frames whose references are not known: there "
               "words of the stack stand in for them, and are marked."_s
             : u"Exact: the runtime itself takes these for roots."_s;
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
