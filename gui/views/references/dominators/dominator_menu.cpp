// SPDX-License-Identifier: MIT
#include "views/references/dominators/dominator_menu.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QMenu>

#include "views/references/dominators/dominator_text.h"
#include "widgets/figures.h"
#include "widgets/symbol_icon.h"

namespace heapscape::gui {

namespace {

void addCopy(QMenu& menu, const QString& title, const QString& text) {
  menu.addAction(symbolIcon(QStringLiteral("copy")), title, &menu,
                 [text] { QGuiApplication::clipboard()->setText(text); });
}

}  // namespace

Selection selectionOf(const engine::DominatorNode& node, const engine::Snapshot& snapshot) {
  Selection selection;
  selection.object = node.object;
  if (node.type.value < snapshot.types().size()) selection.methodTable = snapshot.types()[node.type.value].methodTable;
  return selection;
}

void openDominator(Navigator& navigator, const Selection& selection) {
  if (selection.object) {
    navigator.showObject(selection.object);
  } else if (selection.methodTable) {
    navigator.showType(selection.methodTable);
  }
}

void addDominatorLinks(QMenu& menu, Navigator& navigator, const engine::DominatorNode& node,
                       const Selection& selection) {
  if (selection.object) {
    menu.addAction(symbolIcon(QStringLiteral("object")), QObject::tr("Show object"), &navigator,
                   [&navigator, selection] { navigator.showObject(selection.object); });
    menu.addAction(symbolIcon(QStringLiteral("references")), QObject::tr("Show in the reference graph"), &navigator,
                   [&navigator, selection] { navigator.showReferences(ReferencesPage::Graph, selection); });
    menu.addAction(symbolIcon(QStringLiteral("references")), QObject::tr("Why is it alive?"), &navigator,
                   [&navigator, selection] { navigator.showReferences(ReferencesPage::WhyAlive, selection); });
    menu.addAction(symbolIcon(QStringLiteral("segments")), QObject::tr("Show on map"), &navigator,
                   [&navigator, selection] { navigator.showInSegments(selection); });
  }
  if (selection.methodTable) {
    menu.addAction(symbolIcon(QStringLiteral("runtime")), QObject::tr("Show type"), &navigator,
                   [&navigator, selection] { navigator.showType(selection.methodTable); });
    menu.addAction(symbolIcon(QStringLiteral("layouts")), QObject::tr("Show layout"), &navigator,
                   [&navigator, selection] { navigator.showLayoutOf(selection.methodTable); });
  }
  if (!menu.isEmpty()) menu.addSeparator();
  addCopy(menu, QObject::tr("Copy name"), dominatorName(node));
  if (selection.object) addCopy(menu, QObject::tr("Copy address"), addressText(selection.object));
}

}  // namespace heapscape::gui
