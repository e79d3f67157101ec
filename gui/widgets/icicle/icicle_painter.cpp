// SPDX-License-Identifier: MIT
#include "widgets/icicle/icicle_painter.h"

#include <QPainter>

#include "widgets/drawing/hatch.h"

namespace heapscape::gui {

namespace {

constexpr double kLabelMargin = 6;
constexpr double kLeastLabel = 28;  // narrower ones have no text
constexpr double kLeastGap = 4;     // narrower ones have no line between them

void paintLabel(QPainter& painter, const QRectF& rect, const IcicleLook& look) {
  const QFontMetricsF metrics(painter.font());
  QRectF room = rect.adjusted(kLabelMargin, 0, -kLabelMargin, -look.belowLabel);
  const double figureWidth = metrics.horizontalAdvance(look.figure);
  painter.setPen(look.text);
  if (room.width() > metrics.horizontalAdvance(look.name) + figureWidth + 2 * kLabelMargin) {
    paintOnPlate(painter, room, Qt::AlignRight | Qt::AlignVCenter, look.figure, look.plate);
    room.setRight(room.right() - figureWidth - 2 * kLabelMargin);
  }
  // A few letters and dots tell nothing.
  const QString shown = metrics.elidedText(look.name, Qt::ElideRight, room.width());
  if (shown.size() > 3 || shown == look.name)
    paintOnPlate(painter, room, Qt::AlignLeft | Qt::AlignVCenter, shown, look.plate);
}

}  // namespace

void paintIcicleBox(QPainter& painter, const IcicleBox& box, const IcicleLook& look, const QColor& line) {
  const bool hasGap = box.rect.width() >= kLeastGap;
  const QRectF inner = box.rect.adjusted(0, 0, hasGap ? -1 : 0, -1);
  painter.fillRect(inner, look.fill);
  if (inner.width() >= kLeastLabel) paintLabel(painter, inner, look);
  if (!box.isCut) return;
  painter.setPen(QPen(line, 1, Qt::DotLine));
  painter.drawLine(inner.bottomLeft(), inner.bottomRight());
}

}  // namespace heapscape::gui
