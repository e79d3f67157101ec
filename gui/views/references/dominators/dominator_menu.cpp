// SPDX-License-Identifier: MIT
#include "views/references/dominators/dominator_menu.h"

#include <QMenu>

#include "models/object_menu.h"
#include "models/rows/picked_sets.h"
#include "models/rows/set_menu.h"
#include "session/references/cuts.h"
#include "views/references/dominators/dominator_text.h"

namespace heapscape::gui {

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
  addSelectionLinks(menu, navigator, selection);
  addCopy(menu, u"Copy name"_s, dominatorName(node));
}

namespace {

bool isOfRootsAlone(const engine::DominatorNode& node) {
  return node.kind == engine::DominatorKind::Root || node.kind == engine::DominatorKind::RootGroup;
}

std::string cutOfRoots(const engine::DominatorNode& node, const engine::RootList& list) {
  if (node.kind == engine::DominatorKind::RootGroup) return engine::cutOfRootGroup(list, node.root);
  return node.roots == 1 ? engine::cutOfRoot(list.roots[node.root]) : engine::cutOfRootsNamed(node.name);
}

}  // namespace

DominatorCuts::DominatorCuts(EngineBridge& bridge, Navigator& navigator, QObject* parent)
    : QObject(parent), m_bridge(bridge), m_navigator(navigator) {}

void DominatorCuts::takeObjects(const engine::DominatorNode& node, engine::DominatorGrouping grouping,
                                const std::function<void(const QString& set)>& use) {
  m_bridge.ask(
      this, "objects",
      [grouping, id = node.node](const engine::Snapshot& snapshot, std::stop_token stop) {
        return engine::objectsOfDominator(snapshot, grouping, id, std::move(stop));
      },
      [this, use, name = dominatorName(node)](engine::Outcome<std::vector<std::uint32_t>> objects) {
        if (objects && !objects->empty()) use(PickedSets::of(m_bridge).add(std::move(*objects), name));
      });
}

void DominatorCuts::addTo(QMenu& menu, const engine::DominatorNode& node, engine::DominatorGrouping grouping) {
  if (isOfRootsAlone(node)) {
    addCut(menu, m_navigator, cutHereText(), cutOfRoots(node, m_bridge.snapshot()->roots()));
    menu.addSeparator();
  }
  if (isOfRootsAlone(node) || node.kind == engine::DominatorKind::Whole || node.objects < 2) return;
  addSetLinks(menu, m_navigator, [this, node, grouping](const auto& use) { takeObjects(node, grouping, use); });
  menu.addSeparator();
}

}  // namespace heapscape::gui
