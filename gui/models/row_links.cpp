// SPDX-License-Identifier: MIT
#include "models/row_links.h"

#include <QMenu>

#include "widgets/figures.h"
#include "widgets/symbol_icon.h"

namespace heapscape::gui {

namespace {

void addObjectLinks(QMenu& menu, Navigator& navigator, const QString& title, const RowLink& link) {
  menu.addAction(symbolIcon(QStringLiteral("object")),
                 QObject::tr("%1: show object %2").arg(title, addressText(link.object)), &navigator,
                 [&navigator, link] { navigator.showObject(link.object); });
  const Selection object{.object = link.object, .methodTable = link.methodTable, .segment = {}};
  menu.addAction(symbolIcon(QStringLiteral("references")), QObject::tr("%1: show in the reference graph").arg(title),
                 &navigator, [&navigator, object] { navigator.showReferences(ReferencesPage::Graph, object); });
  menu.addAction(symbolIcon(QStringLiteral("references")), QObject::tr("%1: why is it alive?").arg(title), &navigator,
                 [&navigator, object] { navigator.showReferences(ReferencesPage::WhyAlive, object); });
  menu.addAction(symbolIcon(QStringLiteral("segments")), QObject::tr("%1: show on map").arg(title), &navigator,
                 [&navigator, object] { navigator.showInSegments(object); });
}

void addTypeLinks(QMenu& menu, Navigator& navigator, const QString& title, const RowLink& link) {
  menu.addAction(symbolIcon(QStringLiteral("runtime")), QObject::tr("%1: show type").arg(title), &navigator,
                 [&navigator, link] { navigator.showType(link.methodTable); });
  menu.addAction(symbolIcon(QStringLiteral("layouts")), QObject::tr("%1: show layout").arg(title), &navigator,
                 [&navigator, link] { navigator.showLayoutOf(link.methodTable); });
}

}  // namespace

void followLink(Navigator& navigator, const RowLink& link) {
  if (link.object) {
    navigator.showObject(link.object);
  } else if (link.methodTable) {
    navigator.showType(link.methodTable);
  }
}

void addLinks(QMenu& menu, Navigator& navigator, const RowList& list, std::uint32_t row) {
  for (std::size_t column = 0; column < list.columns().size(); ++column) {
    const RowLink link = list.link(row, column);
    const QString& title = list.columns()[column].title;
    if (link.object) addObjectLinks(menu, navigator, title, link);
    if (link.methodTable) addTypeLinks(menu, navigator, title, link);
    if (!link.isEmpty()) menu.addSeparator();
  }
}

}  // namespace heapscape::gui
