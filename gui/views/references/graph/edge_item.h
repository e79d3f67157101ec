// SPDX-License-Identifier: MIT
#pragma once

#include <QFont>
#include <QGraphicsItem>
#include <QPainterPath>
#include <QString>
#include <vector>

class QWidget;

namespace heapscape::gui {

/// A reference between two nodes.
struct EdgeLook {
  enum class TextPlace { AtStart, Middle, AtEnd };

  QString text;
  QString tip;
  bool isDominator = false;  // thick, and its name, too
  bool isOnPath = false;     // dashed, in the colour of what is picked
  TextPlace textPlace = TextPlace::AtEnd;
  double labelWidth = 100;
};

/// The font of an arrow's name; `isStrong` that of one that dominates.
QFont edgeFont(const QFont& font, bool isStrong);
/// The room that the name has around it, in pixels altogether.
inline constexpr double kEdgeLabelMargin = 6;

/// An arrow. Only paints. The name of the field is an item of its own, so that no other arrow crosses it.
class EdgeItem : public QGraphicsItem {
 public:
  /// curve: a start, and three points for each Bézier curve. `look`: whose palette and font it has; outlives it.
  EdgeItem(const std::vector<QPointF>& curve, EdgeLook edge, const QWidget& look);

  const EdgeLook& edge() const { return m_edge; }
  /// The area of the name in the scene's coordinates; empty where there is none.
  QRectF labelRect() const;
  QRectF boundingRect() const override;
  /// A broad line, so that the tooltip is easily hit.
  QPainterPath shape() const override;
  /// Broken in the middle: what is thought to let go.
  void setCut(bool isCut);
  bool isCut() const { return m_isCut; }
  /// Thick, in the colour of what is picked.
  void setPicked(bool isPicked);
  void paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget* widget) override;

 private:
  QPainterPath m_path;
  QPointF m_start, m_end, m_direction;
  EdgeLook m_edge;
  const QWidget& m_look;
  bool m_isCut = false;
  bool m_isPicked = false;
};

/// The name of the field that an arrow stands for, over all arrows.
class EdgeLabel : public QGraphicsItem {
 public:
  EdgeLabel(const EdgeItem& edge, const QWidget& look);

  QRectF boundingRect() const override { return m_area; }
  void paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget* widget) override;

 private:
  QRectF m_area;
  QString m_text;
  bool m_isStrong;
  const QWidget& m_look;
};

}  // namespace heapscape::gui
