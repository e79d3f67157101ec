// SPDX-License-Identifier: MIT
// What a screen reader is told of the graph: nodes and arrows, one after the other.
#include <algorithm>

#include "views/references/graph/graph_canvas.h"

namespace heapscape::gui {

void GraphCanvas::pickEdge(std::optional<std::size_t> edge) {
  m_pickedEdge = edge;
  for (std::size_t i = 0; i < m_arrows.size(); ++i) m_arrows[i]->setPicked(i == edge);
}

BubbleText GraphCanvas::itemText(std::size_t item) const {
  const auto linesOf = [](const QGraphicsItem& shown) {
    return shown.toolTip().split(QLatin1Char('\n'), Qt::SkipEmptyParts);
  };
  if (item >= m_nodes.size()) {
    QStringList lines = linesOf(*m_arrows[item - m_nodes.size()]);
    const QString title = lines.isEmpty() ? QString() : lines.takeFirst();
    return {.swatch = {}, .title = title, .facts = QStringList(QStringLiteral("reference")) + lines};
  }
  const NodeItem& node = *m_nodes[item];
  QStringList facts = linesOf(node);
  facts.removeAll(node.text().title);
  if (node.node().key.kind == GraphNodeKind::Root) facts.prepend(QStringLiteral("root"));
  return {.swatch = {}, .title = node.text().title, .facts = facts};
}

QRectF GraphCanvas::itemRect(std::size_t item) const {
  const QRectF bounds =
      item < m_nodes.size() ? m_nodes[item]->sceneBoundingRect() : m_arrows[item - m_nodes.size()]->sceneBoundingRect();
  return mapFromScene(bounds).boundingRect();
}

std::optional<std::size_t> GraphCanvas::currentItem() const {
  if (m_pickedEdge) return m_nodes.size() + *m_pickedEdge;
  const auto picked = std::ranges::find(m_nodes, m_picked);
  return picked == m_nodes.end() ? std::nullopt : std::optional(static_cast<std::size_t>(picked - m_nodes.begin()));
}

void GraphCanvas::goToItem(std::size_t item) {
  if (item < m_nodes.size()) return pickByKey(*m_nodes[item]);
  pickEdge(item - m_nodes.size());
  ensureVisible(m_arrows[*m_pickedEdge]->sceneBoundingRect());
  tellCurrent();
}

void GraphCanvas::pressItem(std::size_t item) {
  if (item < m_nodes.size()) {
    Q_EMIT nodeActivated(*m_nodes[item], true);
  } else {
    openEdgeMenu(item - m_nodes.size());
  }
}

void GraphCanvas::openEdgeMenu(std::size_t edge) {
  const QPointF middle = itemRect(m_nodes.size() + edge).center();
  Q_EMIT edgeMenuWanted(edge, viewport()->mapToGlobal(middle.toPoint()));
}

void GraphCanvas::step(int by) {
  const auto count = static_cast<std::int64_t>(itemCount());
  if (count == 0) return;
  const auto current = currentItem();
  const std::int64_t next = current ? static_cast<std::int64_t>(*current) + by : by > 0 ? 0 : count - 1;
  if (next >= 0 && next < count) goToItem(static_cast<std::size_t>(next));
}

}  // namespace heapscape::gui
