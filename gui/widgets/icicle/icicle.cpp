// SPDX-License-Identifier: MIT
#include "widgets/icicle/icicle.h"

#include <QPainter>
#include <cmath>

#include "widgets/drawing/marks.h"

namespace heapscape::gui {

std::vector<IcicleBox> icicleBoxes(const std::vector<IcicleSpan>& spans, std::uint64_t whole, QSizeF size,
                                   double rowHeight) {
  std::vector<IcicleBox> boxes;
  if (whole == 0 || size.width() < 1 || rowHeight < 1) return boxes;
  const auto x = [&](std::uint64_t at) {
    return std::round(static_cast<double>(at) / static_cast<double>(whole) * size.width());
  };
  constexpr double kRounding = 1e-6;  // rows that fill the height are none less
  const auto rows = static_cast<std::uint32_t>(size.height() / rowHeight + kRounding);
  for (const IcicleSpan& span : spans) {
    if (span.depth >= rows) continue;
    const double left = x(span.first);
    const double right = x(span.first + span.size);
    if (right - left < 1) continue;
    const bool isCut = span.depth + 1 == rows && span.isDivided;
    const double top = std::round(span.depth * rowHeight);
    const double bottom = std::round((span.depth + 1) * rowHeight);
    boxes.push_back({span.shape, QRectF(left, top, right - left, bottom - top), isCut});
  }
  return boxes;
}

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
