// SPDX-License-Identifier: MIT
#include "models/object_menu.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QMenu>

#include "session/references/cuts.h"
#include "widgets/context_menu.h"
#include "widgets/drawing/symbol_icon.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {

namespace {

template <class Go>
void add(QMenu& menu, const char* symbol, const QString& title, Navigator& navigator, Go go) {
  menu.addAction(symbolIcon(QString::fromLatin1(symbol)), title, &navigator, std::move(go));
}

void addObjectLinks(QMenu& menu, Navigator& navigator, const Selection& object) {
  const auto references = [&](ReferencesPage page) {
    return [&navigator, object, page] { navigator.showReferences(page, object); };
  };
  add(menu, "object", u"Show the object"_s, navigator, [&navigator, object] { navigator.showObject(object.object); });
  add(menu, "references", u"Why is it alive?"_s, navigator, references(ReferencesPage::WhyAlive));
  add(menu, "references", u"Show in the reference graph"_s, navigator, references(ReferencesPage::Graph));
  add(menu, "references", u"Show in the dominator tree"_s, navigator, references(ReferencesPage::Dominators));
  add(menu, "segments", u"Show on map"_s, navigator, [&navigator, object] { navigator.showInSegments(object); });
  addMemoryLink(menu, navigator, object.object);
  addCut(menu, navigator, u"What if it were released?"_s, engine::cutOfObject(object.object));
}

void addTypeLinks(QMenu& menu, Navigator& navigator, engine::Address methodTable) {
  add(menu, "runtime", u"Show its type"_s, navigator, [&navigator, methodTable] { navigator.showType(methodTable); });
  add(menu, "layouts", u"Show its layout"_s, navigator,
      [&navigator, methodTable] { navigator.showLayoutOf(methodTable); });
  addCut(menu, navigator, u"What if all objects of this type were released?"_s, engine::cutOfType(methodTable));
}

}  // namespace

void addSelectionLinks(QMenu& menu, Navigator& navigator, const Selection& selection) {
  if (selection.object) addObjectLinks(menu, navigator, selection);
  if (selection.methodTable) addTypeLinks(menu, navigator, selection.methodTable);
  if (selection.object || selection.methodTable) menu.addSeparator();
  if (selection.object) addCopy(menu, u"Copy address"_s, addressText(selection.object));
}

void addCut(QMenu& menu, Navigator& navigator, const QString& title, const std::string& cut) {
  add(menu, "cut", title, navigator, [&navigator, cut] { navigator.cut(QString::fromStdString(cut)); });
}

void addMemoryLink(QMenu& menu, Navigator& navigator, engine::Address address) {
  if (!address) return;
  add(menu, "memory", memoryLinkText(address), navigator, [&navigator, address] { navigator.showMemory(address); });
}

void offerAddressMenu(QWidget* widget, Navigator& navigator, engine::Address address) {
  widget->setContextMenuPolicy(Qt::CustomContextMenu);
  QObject::connect(widget, &QWidget::customContextMenuRequested, widget,
                   [widget, &navigator, address](const QPoint& position) {
                     const ContextMenu opened(widget);
                     QMenu& menu = *opened;
                     addMemoryLink(menu, navigator, address);
                     addCopy(menu, u"Copy address"_s, addressText(address));
                     menu.exec(widget->mapToGlobal(position));
                   });
}

void addCopy(QMenu& menu, const QString& title, const QString& text) {
  menu.addAction(symbolIcon(u"copy"_s), title, &menu, [text] { QGuiApplication::clipboard()->setText(text); });
}

}  // namespace heapscape::gui
