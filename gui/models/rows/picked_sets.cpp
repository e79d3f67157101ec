// SPDX-License-Identifier: MIT
#include "models/rows/picked_sets.h"

#include <QMenu>
#include <utility>

#include "query/completion.h"
#include "session/references/cuts.h"
#include "widgets/drawing/symbol_icon.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {

PickedSets& PickedSets::of(EngineBridge& bridge) {
  auto* sets = bridge.findChild<PickedSets*>(QString(), Qt::FindDirectChildrenOnly);
  return sets ? *sets : *new PickedSets(bridge);
}

PickedSets::PickedSets(EngineBridge& bridge) : QObject(&bridge) {
  // What was picked in a dump is nothing in another one.
  connect(&bridge, &EngineBridge::openStarted, this, [this] { m_sets.reset(); });
  connect(&bridge, &EngineBridge::closed, this, [this] { m_sets.reset(); });
}

std::shared_ptr<const std::vector<std::uint32_t>> PickedSets::find(const QString& name) const {
  if (!m_sets) return nullptr;
  const auto known = m_sets->find(name.toStdString());
  return known == m_sets->end() ? nullptr : known->second;
}

QString PickedSets::add(std::vector<std::uint32_t> objects, const QString& wanted) {
  auto sets = m_sets ? std::make_shared<engine::ObjectSets>(*m_sets) : std::make_shared<engine::ObjectSets>();
  for (const auto& [name, known] : *sets) {
    if (*known == objects) return QString::fromStdString(name);
  }
  QString name = wanted;
  for (int number = 2; sets->contains(name.toStdString()); ++number) name = wanted + u" %1"_s.arg(number);
  sets->emplace(name.toStdString(), std::make_shared<const std::vector<std::uint32_t>>(std::move(objects)));
  m_sets = std::move(sets);
  return name;
}

QString queryOfSet(const QString& name) {
  return u"set = %1"_s.arg(QString::fromStdString(engine::quotedForQuery(name.toStdString())));
}

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
  add("segments", u"Show these objects on the map"_s,
      [&navigator](const QString& set) { navigator.showSetInSegments(set); });
  add("cut", u"What if these objects were released?"_s,
      [&navigator](const QString& set) { navigator.cut(fromEngine(engine::cutOfSet(set.toStdString()))); });
}

}  // namespace heapscape::gui
