// SPDX-License-Identifier: MIT
#include "widgets/drawing/hatch.h"

#include <QPainter>
#include <algorithm>
#include <cmath>

#include "widgets/drawing/colours.h"

namespace heapscape::gui {

QColor mixed(const QColor& colour, const QColor& ground, double share) {
  const auto channel = [share](int of, int with) {
    return static_cast<int>(std::lround(of * share + with * (1 - share)));
  };
  return {channel(colour.red(), ground.red()), channel(colour.green(), ground.green()),
          channel(colour.blue(), ground.blue())};
}

void paintOnPlate(QPainter& painter, const QRectF& room, int flags, const QString& text, const QColor& plate) {
  constexpr double kMargin = 3;
  if (plate.isValid() && !text.isEmpty())
    painter.fillRect(painter.boundingRect(room, flags, text).adjusted(-kMargin, 0, kMargin, 0) & room, plate);
  painter.drawText(room, flags, text);
}

void paintHatch(QPainter& painter, const QRectF& rect, const Colours& colours) {
  constexpr double kStep = 6;
  painter.save();
  painter.fillRect(rect, mixed(colours.padding(), colours.surface(), 0.08));
  painter.setPen(QPen(colours.padding(), colours.isContrast ? 2.4 : 1.2, Qt::SolidLine, Qt::FlatCap));
  // Cut off at the edges by hand: vector files know no clipping.
  for (double x = rect.left() - rect.height(); x < rect.right(); x += kStep) {
    const double from = std::max(x, rect.left());
    const double to = std::min(x + rect.height(), rect.right());
    painter.drawLine(QPointF(from, rect.bottom() - (from - x)), QPointF(to, rect.bottom() - (to - x)));
  }
  painter.restore();
}

}  // namespace heapscape::gui
