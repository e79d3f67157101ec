// SPDX-License-Identifier: MIT
#include "views/references/graph/node_menu.h"

#include <QMenu>

#include "models/object_menu.h"
#include "session/references/cuts.h"
#include "session/roots/roots_query.h"
#include "widgets/drawing/symbol_icon.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {

namespace {

void addRootLinks(QMenu& menu, const engine::RootRow& root, Navigator& navigator) {
  menu.addAction(
      symbolIcon(QStringLiteral("roots")), QStringLiteral("Show among the roots"), &navigator, [&navigator, root] {
        navigator.showListed(PlaceId::Roots, root.address, {.object = root.object, .methodTable = {}, .segment = {}});
      });
  addCut(menu, navigator, cutHereText(), engine::cutOfRoot(root));
  addCopy(menu, QStringLiteral("Copy name"), fromEngine(root.name));
}

}  // namespace

engine::Address methodTableOf(const GraphNode& node, const engine::Snapshot& snapshot) {
  const engine::TypeId type = node.object.type;
  return type.value < snapshot.types().size() ? snapshot.types()[type.value].methodTable : engine::Address{};
}

void addNodeLinks(QMenu& menu, const GraphNode& node, const engine::Snapshot& snapshot, Navigator& navigator) {
  const engine::Address methodTable = methodTableOf(node, snapshot);
  const engine::Address object = node.key.kind == GraphNodeKind::Object ? node.key.object : engine::Address{};
  const bool isRoot = node.key.kind == GraphNodeKind::Root && node.key.number < snapshot.roots().roots.size();
  if (isRoot) addRootLinks(menu, snapshot.roots().roots[node.key.number], navigator);
  addSelectionLinks(menu, navigator, {.object = object, .methodTable = methodTable, .segment = {}});
}

}  // namespace heapscape::gui
