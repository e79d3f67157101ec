// SPDX-License-Identifier: MIT
#include "views/references/dominators/dominator_menu.h"

#include "models/object_menu.h"
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
  addCopy(menu, QStringLiteral("Copy name"), dominatorName(node));
}

}  // namespace heapscape::gui
