// SPDX-License-Identifier: MIT
#pragma once

#include <QGraphicsItem>

#include "views/references/graph/graph_picture.h"
#include "views/references/graph/node_geometry.h"
#include "views/references/graph/node_text.h"

namespace heapscape::gui {

/// What a point of a node stands for.
enum class NodePart : std::uint8_t { None, Card, Holders, Held };

/// A card, a stack of cards or a pill. Only paints: clicks are the canvas' business.
class NodeItem : public QGraphicsItem {
 public:
  /// `look`: whose palette and font it has; outlives it.
  NodeItem(GraphNode node, NodeText text, NodeGeometry geometry, double share, const QWidget& look);

  const GraphNode& node() const { return m_node; }
  const NodeText& text() const { return m_text; }
  const NodeGeometry& geometry() const { return m_geometry; }
  /// The point in the item's own coordinates.
  NodePart partAt(QPointF point) const;

  void setPicked(bool isPicked);
  void setSide(engine::Direction direction, SideState state);
  void setHovered(NodePart part);
  /// Hatched: the share of it, from 0 to 1, that would be freed by what is cut.
  void setFreed(double share);
  double freed() const { return m_freed; }

  QRectF boundingRect() const override;
  void paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget* widget) override;

 private:
  GraphNode m_node;
  NodeText m_text;
  NodeGeometry m_geometry;
  const QWidget& m_look;
  double m_share;  // of the largest retained size in the picture
  double m_freed = 0;
  bool m_isPicked = false;
  NodePart m_hovered = NodePart::None;
};

}  // namespace heapscape::gui
