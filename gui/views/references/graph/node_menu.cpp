// SPDX-License-Identifier: MIT
#include "views/references/graph/node_menu.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QMenu>

#include "session/roots_query.h"
#include "widgets/figures.h"
#include "widgets/symbol_icon.h"

namespace heapscape::gui {

namespace {

void addObjectLinks(QMenu& menu, const Selection& selection, Navigator& navigator) {
  menu.addAction(symbolIcon(QStringLiteral("object")), QObject::tr("Show the object"), &navigator,
                 [&navigator, selection] { navigator.showObject(selection.object); });
  menu.addAction(symbolIcon(QStringLiteral("references")), QObject::tr("Why is it alive?"), &navigator,
                 [&navigator, selection] { navigator.showReferences(ReferencesPage::WhyAlive, selection); });
  menu.addAction(symbolIcon(QStringLiteral("segments")), QObject::tr("Show on map"), &navigator,
                 [&navigator, selection] { navigator.showInSegments(selection); });
}

void addTypeLinks(QMenu& menu, engine::Address methodTable, Navigator& navigator) {
  menu.addAction(symbolIcon(QStringLiteral("runtime")), QObject::tr("Show its type"), &navigator,
                 [&navigator, methodTable] { navigator.showType(methodTable); });
  menu.addAction(symbolIcon(QStringLiteral("layouts")), QObject::tr("Show its layout"), &navigator,
                 [&navigator, methodTable] { navigator.showLayoutOf(methodTable); });
}

void addRootLinks(QMenu& menu, const engine::RootRow& root, Navigator& navigator) {
  menu.addAction(
      symbolIcon(QStringLiteral("roots")), QObject::tr("Show among the roots"), &navigator, [&navigator, root] {
        navigator.showListed(PlaceId::Roots, root.address, {.object = root.object, .methodTable = {}, .segment = {}});
      });
  menu.addAction(symbolIcon(QStringLiteral("copy")), QObject::tr("Copy name"), &navigator,
                 [root] { QGuiApplication::clipboard()->setText(fromEngine(root.name)); });
}

}  // namespace

engine::Address methodTableOf(const GraphNode& node, const engine::Snapshot& snapshot) {
  const engine::TypeId type = node.object.type;
  return type.value < snapshot.types().size() ? snapshot.types()[type.value].methodTable : engine::Address{};
}

void addNodeLinks(QMenu& menu, const GraphNode& node, const engine::Snapshot& snapshot, Navigator& navigator) {
  const engine::Address methodTable = methodTableOf(node, snapshot);
  if (node.key.kind == GraphNodeKind::Object) {
    const engine::Address object = node.key.object;
    addObjectLinks(menu, {.object = object, .methodTable = methodTable, .segment = {}}, navigator);
    menu.addAction(symbolIcon(QStringLiteral("copy")), QObject::tr("Copy address"), &navigator,
                   [object] { QGuiApplication::clipboard()->setText(addressText(object)); });
  }
  const bool isRoot = node.key.kind == GraphNodeKind::Root && node.key.number < snapshot.roots().roots.size();
  if (isRoot) addRootLinks(menu, snapshot.roots().roots[node.key.number], navigator);
  if (methodTable) addTypeLinks(menu, methodTable, navigator);
}

}  // namespace heapscape::gui
