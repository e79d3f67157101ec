// SPDX-License-Identifier: MIT
#pragma once

#include <QGraphicsItem>
#include <QPainterPath>
#include <QString>
#include <vector>

class QWidget;

namespace heapscape::gui {

/// A reference between two nodes.
struct EdgeLook {
  QString text;
  QString tip;
  bool isDominator = false;  // thick, and with a word
  bool isOnPath = false;     // dashed, in the colour of what is picked
  bool isTextAtEnd = true;   // beside the right node; else beside the left one
  double labelWidth = 100;
};

/// An arrow with the name of the field. Only paints.
class EdgeItem : public QGraphicsItem {
 public:
  /// curve: a start, and three points for each Bézier curve. `look`: whose palette and font it has; outlives it.
  EdgeItem(const std::vector<QPointF>& curve, EdgeLook edge, const QWidget& look);

  const EdgeLook& edge() const { return m_edge; }
  QRectF boundingRect() const override;
  /// A broad line, so that the tooltip is easily hit.
  QPainterPath shape() const override;
  void paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget* widget) override;

 private:
  QRectF labelRect() const;
  void paintLabel(QPainter& painter) const;

  QPainterPath m_path;
  QPointF m_start, m_end, m_direction;
  EdgeLook m_edge;
  const QWidget& m_look;
};

}  // namespace heapscape::gui
