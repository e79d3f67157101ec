// SPDX-License-Identifier: MIT
#include "views/references/graph/edge_item.h"

#include <QLineF>
#include <QPainter>
#include <QWidget>
#include <algorithm>
#include <cmath>

#include "widgets/drawing/colours.h"
#include "widgets/text/fonts.h"
#include "widgets/text/hidden_contents.h"

namespace heapscape::gui {

namespace {

constexpr double kHead = 8;
constexpr double kReach = 10;  // around the line, for the pointer
constexpr double kLabelGap = 5;
constexpr double kBreak = 16;  // of an arrow that is cut

QPainterPath pathOf(const std::vector<QPointF>& curve) {
  QPainterPath path(curve.front());
  for (std::size_t i = 1; i + 2 < curve.size(); i += 3) path.cubicTo(curve[i], curve[i + 1], curve[i + 2]);
  return path;
}

/// Where an arrow is cut: two short strokes across it.
void paintBreak(QPainter& painter, const QPainterPath& path, const QColor& colour) {
  painter.setPen(QPen(colour, 2.2, Qt::SolidLine, Qt::RoundCap));
  const double middle = path.length() / 2;
  for (const double place : {middle - kBreak / 2, middle + kBreak / 2}) {
    const double share = path.percentAtLength(std::clamp(place, 0.0, path.length()));
    QLineF stroke = QLineF::fromPolar(6, path.angleAtPercent(share) + 65);
    stroke.translate(path.pointAtPercent(share));
    painter.drawLine(QLineF(stroke.p1() * 2 - stroke.p2(), stroke.p2()));
  }
}

}  // namespace

QFont edgeFont(const QFont& font, bool isStrong) {
  return scaledFont(font, 0.9, isStrong ? QFont::DemiBold : QFont::Normal);
}

EdgeItem::EdgeItem(const std::vector<QPointF>& curve, EdgeLook edge, const QWidget& look)
    : m_path(pathOf(curve)), m_start(curve.front()), m_end(curve.back()), m_edge(std::move(edge)), m_look(look) {
  const QPointF before = m_path.pointAtPercent(0.97);
  const double length = std::hypot(m_end.x() - before.x(), m_end.y() - before.y());
  m_direction = length > 0 ? (m_end - before) / length : QPointF(1, 0);
  setToolTip(m_edge.tip);
}

QRectF EdgeItem::labelRect() const {
  if (m_edge.text.isEmpty()) return {};
  const QFontMetricsF metrics(edgeFont(m_look.font(), m_edge.isDominator));
  QRectF area(0, 0, std::min(m_edge.labelWidth, metrics.horizontalAdvance(m_edge.text) + kEdgeLabelMargin),
              metrics.height());
  switch (m_edge.textPlace) {
    case EdgeLook::TextPlace::AtStart:
      area.moveTo(m_start.x() + kLabelGap, m_start.y() - area.height() / 2);
      break;
    case EdgeLook::TextPlace::AtEnd:
      area.moveTo(m_end.x() - kHead - kLabelGap - area.width(), m_end.y() - area.height() / 2);
      break;
    case EdgeLook::TextPlace::Middle:
      area.moveCenter(m_path.pointAtPercent(0.5));
      break;
  }
  return area;
}

QRectF EdgeItem::boundingRect() const {
  return m_path.boundingRect().adjusted(-kReach, -kReach, kReach, kReach);
}

QPainterPath EdgeItem::shape() const {
  QPainterPathStroker stroker;
  stroker.setWidth(kReach);
  return stroker.createStroke(m_path);
}

EdgeLabel::EdgeLabel(const EdgeItem& edge, const QWidget& look)
    : m_area(edge.labelRect()), m_text(edge.edge().text), m_isStrong(edge.edge().isDominator), m_look(look) {
  setToolTip(edge.edge().tip);
  setZValue(0.5);
}

void EdgeLabel::paint(QPainter* painter, const QStyleOptionGraphicsItem*, QWidget*) {
  painter->fillRect(m_area, Colours(m_look.palette()).surface());
  const QFont font = edgeFont(m_look.font(), m_isStrong);
  painter->setFont(font);
  painter->setPen(m_look.palette().color(m_isStrong ? QPalette::Text : QPalette::PlaceholderText));
  painter->drawText(m_area, Qt::AlignCenter | Qt::TextSingleLine,
                    QFontMetricsF(font).elidedText(stepText(m_text), Qt::ElideMiddle, m_area.width()));
}

void EdgeItem::setCut(bool isCut) {
  if (isCut == m_isCut) return;
  m_isCut = isCut;
  setToolTip(isCut ? m_edge.tip + u"\nCut: thought away"_s : m_edge.tip);
  update();
}

void EdgeItem::setPicked(bool isPicked) {
  if (isPicked == m_isPicked) return;
  m_isPicked = isPicked;
  update();
}

void EdgeItem::paint(QPainter* painter, const QStyleOptionGraphicsItem*, QWidget*) {
  const Colours colours(m_look.palette());
  const QColor colour = m_isPicked || m_edge.isOnPath ? m_look.palette().color(QPalette::Highlight)
                        : m_edge.isDominator          ? m_look.palette().color(QPalette::Text)
                                                      : colours.outline();
  QPen pen(colour, m_edge.isDominator ? 3 : m_edge.isOnPath ? 2.2 : 1.3, Qt::SolidLine, Qt::FlatCap, Qt::RoundJoin);
  if (m_edge.isOnPath) pen.setDashPattern({4, 2});
  if (m_isCut) {
    const double half = std::max(0.5, (m_path.length() - kBreak) / 2 / pen.widthF());
    pen.setDashPattern({half, kBreak / pen.widthF(), half, kBreak});
  }
  painter->setPen(pen);
  painter->setBrush(Qt::NoBrush);
  painter->drawPath(m_path);
  if (m_isPicked) {
    const QPen mark = markPen(m_look.palette(), m_look.hasFocus());
    painter->setPen(QPen(mark.color(), pen.widthF() + mark.widthF()));
    painter->drawPath(m_path);
  }
  if (m_isCut) paintBreak(*painter, m_path, colours.warning());
  painter->setPen(Qt::NoPen);
  painter->setBrush(colour);
  const QPointF back = m_end - m_direction * kHead;
  const QPointF side(-m_direction.y() * kHead / 2, m_direction.x() * kHead / 2);
  painter->drawPolygon(QPolygonF{m_end, back + side, back - side});
}

}  // namespace heapscape::gui
