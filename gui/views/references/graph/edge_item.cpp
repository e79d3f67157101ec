// SPDX-License-Identifier: MIT
#include "views/references/graph/edge_item.h"

#include <QCoreApplication>
#include <QPainter>
#include <QWidget>
#include <cmath>

#include "widgets/colours.h"
#include "widgets/fonts.h"

namespace heapscape::gui {

namespace {

constexpr double kHead = 8;
constexpr double kReach = 10;  // around the line, for the pointer
constexpr double kLabelGap = 5;

QPainterPath pathOf(const std::vector<QPointF>& curve) {
  QPainterPath path(curve.front());
  for (std::size_t i = 1; i + 2 < curve.size(); i += 3) path.cubicTo(curve[i], curve[i + 1], curve[i + 2]);
  return path;
}

}  // namespace

EdgeItem::EdgeItem(const std::vector<QPointF>& curve, EdgeLook edge, const QWidget& look)
    : m_path(pathOf(curve)), m_start(curve.front()), m_end(curve.back()), m_edge(std::move(edge)), m_look(look) {
  const QPointF before = m_path.pointAtPercent(0.97);
  const double length = std::hypot(m_end.x() - before.x(), m_end.y() - before.y());
  m_direction = length > 0 ? (m_end - before) / length : QPointF(1, 0);
  setToolTip(m_edge.tip);
}

QRectF EdgeItem::labelRect() const {
  const QFontMetricsF metrics(scaledFont(m_look.font(), 0.9));
  const double width = std::min(m_edge.labelWidth, metrics.horizontalAdvance(m_edge.text) + 4);
  const double left = m_edge.isTextAtEnd ? m_end.x() - kHead - kLabelGap - width : m_start.x() + kLabelGap;
  const double line = m_edge.isTextAtEnd ? m_end.y() : m_start.y();
  return {left, line - metrics.height() / 2, width, metrics.height()};
}

QRectF EdgeItem::boundingRect() const {
  return m_path.boundingRect().united(labelRect()).adjusted(-kReach, -kReach, kReach, kReach);
}

QPainterPath EdgeItem::shape() const {
  QPainterPathStroker stroker;
  stroker.setWidth(kReach);
  QPainterPath shape = stroker.createStroke(m_path);
  if (!m_edge.text.isEmpty()) shape.addRect(labelRect());
  return shape;
}

void EdgeItem::paintLabel(QPainter& painter) const {
  if (m_edge.text.isEmpty()) return;
  const QRectF area = labelRect();
  QColor ground = Colours(m_look.palette()).surface();
  ground.setAlphaF(0.9F);
  painter.fillRect(area, ground);
  const QFont font = scaledFont(m_look.font(), 0.9, m_edge.isDominator ? QFont::DemiBold : QFont::Normal);
  painter.setFont(font);
  painter.setPen(m_look.palette().color(m_edge.isDominator ? QPalette::Text : QPalette::PlaceholderText));
  painter.drawText(area, Qt::AlignCenter | Qt::TextSingleLine,
                   QFontMetricsF(font).elidedText(m_edge.text, Qt::ElideMiddle, area.width()));
}

void EdgeItem::paint(QPainter* painter, const QStyleOptionGraphicsItem*, QWidget*) {
  const Colours colours(m_look.palette());
  const QColor colour = m_edge.isOnPath      ? m_look.palette().color(QPalette::Highlight)
                        : m_edge.isDominator ? m_look.palette().color(QPalette::Text)
                                             : colours.outline();
  QPen pen(colour, m_edge.isDominator ? 3 : m_edge.isOnPath ? 2.2 : 1.3, Qt::SolidLine, Qt::FlatCap, Qt::RoundJoin);
  if (m_edge.isOnPath) pen.setDashPattern({4, 2});
  painter->setPen(pen);
  painter->setBrush(Qt::NoBrush);
  painter->drawPath(m_path);
  painter->setPen(Qt::NoPen);
  painter->setBrush(colour);
  const QPointF back = m_end - m_direction * kHead;
  const QPointF side(-m_direction.y() * kHead / 2, m_direction.x() * kHead / 2);
  painter->drawPolygon(QPolygonF{m_end, back + side, back - side});
  paintLabel(*painter);
}

}  // namespace heapscape::gui
