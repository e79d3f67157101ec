// SPDX-License-Identifier: MIT
// What people do in the dominator tree: look for something, zoom, pick, open the menu.
#include <QMenu>

#include "views/references/dominators/dominator_cuts.h"
#include "views/references/dominators/dominator_export.h"
#include "views/references/dominators/dominator_menu.h"
#include "views/references/dominators/dominator_table.h"
#include "views/references/dominators/dominator_toolbar.h"
#include "views/references/dominators/dominator_view.h"
#include "widgets/context_menu.h"
#include "widgets/drawing/symbol_icon.h"

namespace heapscape::gui {

void DominatorView::step(int step) {
  const std::optional<std::uint32_t> shape = m_search.next(step);
  if (!shape) return;
  pick(m_scene->shapes[*shape].node);
  showMatches();
}

// In a picture to the next of those that stand out; else, or where there are none, to the largest object of that type.
void DominatorView::search(const QString& text) {
  if (!m_snapshot) return;
  if (m_toolbar->form() != DominatorForm::Table && m_search.hasMatches()) return step(1);
  m_bridge.ask(
      this, "search",
      [wanted = text.toStdString()](const engine::Snapshot& snapshot, std::stop_token stop) {
        return findDominated(snapshot, wanted, stop);
      },
      [this, text](const engine::Outcome<engine::Address>& found) {
        if (found && *found && !m_set.isEmpty()) {
          m_navigator.showReferences(ReferencesPage::Dominators, {.object = *found, .methodTable = {}, .segment = {}});
        } else if (found && *found) {
          m_followed = *found;
          reveal(*found);
          m_navigator.select({.object = *found, .methodTable = {}, .segment = {}});
        } else if (found) {
          m_toolbar->showNote(QStringLiteral("Nothing that is held is called “%1”").arg(text));
        }
      });
}

void DominatorView::zoomTo(std::uint32_t shape) {
  DominatorWay below;
  for (std::uint32_t i = shape; i != 0; i = m_scene->shapes[i].parent) below.push_back(m_scene->shapes[i].node);
  DominatorWay way = m_scene->way;
  way.insert(way.end(), below.rbegin(), below.rend());
  look(std::move(way));
}

void DominatorView::zoomOut() {
  if (!m_scene || m_scene->way.size() < 2) return;
  look(DominatorWay(m_scene->way.begin(), m_scene->way.end() - 1));
}

void DominatorView::pick(const engine::DominatorNode& node) {
  mark(node);
  const Selection selection = selectionOf(node, *m_snapshot);
  if (selection.isEmpty()) return;
  m_followed = selection.object;
  m_navigator.select(selection);
}

void DominatorView::openMenu(const engine::DominatorNode& node, std::optional<std::uint32_t> shape,
                             const QWidget& source, QPoint globalPosition) {
  const ContextMenu opened(this);
  QMenu& menu = *opened;
  const bool isRest = shape && m_scene->shapes[*shape].isRest;
  const bool isTop = node.node == m_scene->top().node;
  if (!isTop && !isRest && node.children > 0) {
    menu.addAction(symbolIcon(QStringLiteral("search")), QStringLiteral("Zoom in"), this,
                   [this, shape] { shape ? zoomTo(*shape) : m_table->zoomIntoCurrent(); });
  }
  if (m_scene->way.size() > 1) {
    menu.addAction(symbolIcon(QStringLiteral("back")), QStringLiteral("Zoom out"), this, &DominatorView::zoomOut);
    menu.addAction(symbolIcon(QStringLiteral("roots")), QStringLiteral("Back to all roots"), this,
                   [this] { look({}); });
  }
  if (!menu.isEmpty()) menu.addSeparator();
  if (!isRest) {
    m_cuts->addTo(menu, node, m_toolbar->grouping());
    addDominatorLinks(menu, m_navigator, node, selectionOf(node, *m_snapshot));
    menu.addSeparator();
  }
  menu.addAction(symbolIcon(QStringLiteral("save")), QStringLiteral("Save for flame graph tools…"), this,
                 [this] { saveCollapsed(this, *m_scene); });
  menu.addActions(source.actions());
  menu.exec(globalPosition);
}

}  // namespace heapscape::gui
