// SPDX-License-Identifier: MIT
#include "models/rows/set_menu.h"

#include <QMenu>
#include <utility>

#include "models/rows/picked_sets.h"
#include "session/references/cuts.h"
#include "widgets/drawing/symbol_icon.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {

void addSetLinks(QMenu& menu, Navigator& navigator, TakeSet take) {
  const auto add = [&](const char* symbol, const QString& text, std::function<void(const QString&)> use) {
    menu.addAction(symbolIcon(QString::fromLatin1(symbol)), text, &navigator,
                   [take, use = std::move(use)] { take(use); });
  };
  const auto showOn = [&navigator](ReferencesPage page) {
    return [&navigator, page](const QString& set) { navigator.showReferencesOf(page, set); };
  };
  add("search", u"Search among these objects"_s,
      [&navigator](const QString& set) { navigator.showObjectsOf(queryOfSet(set)); });
  add("references", u"Why are these objects alive?"_s, showOn(ReferencesPage::WhyAlive));
  add("references", u"Show these objects in the reference graph"_s, showOn(ReferencesPage::Graph));
  add("references", u"Show what these objects dominate"_s, showOn(ReferencesPage::Dominators));
  add("cut", u"Cut all that holds these objects: what would be freed?"_s,
      [&navigator](const QString& set) { navigator.cut(fromEngine(engine::cutOfSet(set.toStdString()))); });
}

}  // namespace heapscape::gui
