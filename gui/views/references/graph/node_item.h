// SPDX-License-Identifier: MIT
#pragma once

#include <QFontMetricsF>
#include <QGraphicsItem>
#include <QRectF>
#include <QString>
#include <Qt>
#include <cstddef>
#include <optional>
#include <vector>

#include "session/snapshot/snapshot.h"
#include "views/references/graph/graph_picture.h"
#include "widgets/graph_layout/graph_layout.h"

namespace heapscape::gui {

/// The texts of a node of the graph.
struct NodeText {
  QString title;            // "Order", "2,097 × Line", "static Shop.Statics.orders"
  QString line;             // "\"abc\"", "1,500 items", an address; what a stack retains
  QString retained;         // "1.2 MB": what it retains, all of it
  QString figures;          // "own 64 B + fields 1.1 MB + rest 80 KB": where that is
  QString tip;              // all of it, exactly
  bool isContents = false;  // the line: what a string or a box holds
  QString back = {};        // "⟲ 9": references against the flow
  /// Shares of the retained bytes that are its own and that its fields lead to; the rest is behind them.
  double ownShare = 0, fieldShare = 0;
};

NodeText textOf(const GraphNode& node, const engine::Snapshot& snapshot);

/// The field's name, as people know it; of a property's own field the property's.
QString edgeText(const GraphEdge& edge);
/// "Order.Lines → List<Line>", in full.
QString edgeTip(const GraphEdge& edge, const GraphPicture& picture, const engine::Snapshot& snapshot);

/// Where the parts of a node are, from its top left corner. What a kind of node does not have is empty.
struct NodeGeometry {
  QSizeF size;
  QRectF card;
  QRectF title, retained, line, back, figures, bar;
  QRectF holders, held;  // the handles that open and fold both sides: where clicks count
};

class NodeMetrics {
 public:
  explicit NodeMetrics(const QFont& font);

  NodeGeometry geometryOf(const GraphNode& node, const NodeText& text) const;
  /// The gap between columns: as wide as the names of the picture's edges want, within bounds.
  double columnGap(const GraphPicture& picture) const;
  double rowGap() const { return 12; }
  /// Room for the name of an edge.
  double labelWidth(const GraphPicture& picture) const { return columnGap(picture) - kBesideLabel; }
  double lineHeight() const { return m_line; }

 private:
  NodeGeometry cardOf(const GraphNode& node, const NodeText& text) const;
  NodeGeometry pillOf(const NodeText& text) const;

  static constexpr double kBesideLabel = 20;  // of a gap: the arrow's head

  QFontMetricsF m_bold, m_label, m_plain;
  double m_letter, m_line, m_handle;
};

/// The input of Graphviz: columns follow from the distance to the middle.
LayoutRequest layoutRequest(const GraphPicture& picture, const std::vector<NodeGeometry>& nodes,
                            const NodeMetrics& metrics);

/// The box that an arrow key leads to: the nearest whose middle lies on that side, those straight ahead before those
/// aside. Nothing if there is none.
std::optional<std::size_t> nearestNode(const std::vector<QRectF>& boxes, std::size_t from, Qt::Key key);

/// The part of a node at a point.
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
