// SPDX-License-Identifier: MIT
#include "views/references/dominators/dominator_icicle.h"

#include <QPainter>
#include <algorithm>

#include "views/references/dominators/dominator_colours.h"
#include "views/references/dominators/dominator_text.h"
#include "widgets/colours.h"
#include "widgets/figures.h"

namespace heapscape::gui {

namespace {

constexpr std::uint32_t kNone = 0xffffffff;
constexpr double kLabelMargin = 6;
constexpr double kLeastLabel = 28;  // narrower ones have no text
constexpr double kLeastGap = 4;     // narrower ones have no line between them

}  // namespace

DominatorIcicle::DominatorIcicle(QWidget* parent) : DominatorPicture(tr("Dominators as an icicle"), parent) {
  setObjectName(QStringLiteral("dominatorIcicle"));
}

void DominatorIcicle::place() {
  m_boxes = icicleBoxes(shapes(), size(), std::max(24, fontMetrics().height() * 8 / 5 + 1));
  m_boxByShape.assign(shapes().size(), kNone);
  for (std::uint32_t i = 0; i < m_boxes.size(); ++i) m_boxByShape[m_boxes[i].shape] = i;
}

const IcicleBox* DominatorIcicle::boxOf(std::uint32_t shape) const {
  return shape < m_boxByShape.size() && m_boxByShape[shape] != kNone ? &m_boxes[m_boxByShape[shape]] : nullptr;
}

std::optional<std::uint32_t> DominatorIcicle::shapeAt(QPointF point) const {
  const auto holds = [point](const IcicleBox& box) {
    return point.x() >= box.rect.left() && point.x() < box.rect.right() && point.y() >= box.rect.top() &&
           point.y() < box.rect.bottom();
  };
  const auto found = std::ranges::find_if(m_boxes, holds);
  return found == m_boxes.end() ? std::nullopt : std::optional(found->shape);
}

QPainterPath DominatorIcicle::outlineOf(std::uint32_t shape) const {
  QPainterPath path;
  if (const IcicleBox* box = boxOf(shape)) path.addRect(box->rect.adjusted(0.5, 0.5, -0.5, -0.5));
  return path;
}

QPointF DominatorIcicle::pointIn(std::uint32_t shape) const {
  const IcicleBox* box = boxOf(shape);
  return box ? box->rect.center() : QPointF();
}

void DominatorIcicle::paintShapes(QPainter& painter, const Colours& colours) const {
  for (const IcicleBox& box : m_boxes) paintBox(painter, colours, box);
}

void DominatorIcicle::paintBox(QPainter& painter, const Colours& colours, const IcicleBox& box) const {
  const engine::DominatorShape& shape = shapes()[box.shape];
  const bool hasGap = box.rect.width() >= kLeastGap;
  const QRectF inner = box.rect.adjusted(0, 0, hasGap ? -1 : 0, -1);
  if (shape.isRest) {
    painter.fillRect(inner, colours.freeSpaceBrush());
    if (inner.width() >= kLeastLabel) paintLabel(painter, colours.dimmedText(), inner, shape);
    return;
  }
  const QColor colour = dominatorColour(shape, colours);
  painter.fillRect(inner, colour);
  if (inner.width() >= kLeastLabel) paintLabel(painter, Colours::textOn(colour), inner, shape);
  if (!box.isCut) return;
  painter.setPen(QPen(palette().color(QPalette::Text), 1, Qt::DotLine));
  painter.drawLine(inner.bottomLeft(), inner.bottomRight());
}

void DominatorIcicle::paintLabel(QPainter& painter, const QColor& colour, const QRectF& rect,
                                 const engine::DominatorShape& shape) const {
  const QFontMetricsF metrics(painter.font());
  QRectF room = rect.adjusted(kLabelMargin, 0, -kLabelMargin, 0);
  const QString name = dominatorLabel(shape);
  const QString bytes = bytesText(shape.node.retainedBytes);
  const double bytesWidth = metrics.horizontalAdvance(bytes);
  painter.setPen(colour);
  if (room.width() > metrics.horizontalAdvance(name) + bytesWidth + 2 * kLabelMargin) {
    painter.drawText(room, Qt::AlignRight | Qt::AlignVCenter, bytes);
    room.setRight(room.right() - bytesWidth - 2 * kLabelMargin);
  }
  // A few letters and dots tell nothing.
  const QString shown = metrics.elidedText(name, Qt::ElideRight, room.width());
  if (shown.size() > 3 || shown == name) painter.drawText(room, Qt::AlignLeft | Qt::AlignVCenter, shown);
}

}  // namespace heapscape::gui
