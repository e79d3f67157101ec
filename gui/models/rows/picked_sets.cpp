// SPDX-License-Identifier: MIT
#include "models/rows/picked_sets.h"

#include "bridge/literals.h"
#include "query/completion.h"

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

}  // namespace heapscape::gui
