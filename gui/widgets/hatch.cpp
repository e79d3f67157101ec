// SPDX-License-Identifier: MIT
#include "widgets/hatch.h"

#include <QPainter>
#include <cmath>

#include "widgets/colours.h"

namespace heapscape::gui {

QColor mixed(const QColor& colour, const QColor& ground, double share) {
  const auto channel = [share](int of, int with) {
    return static_cast<int>(std::lround(of * share + with * (1 - share)));
  };
  return {channel(colour.red(), ground.red()), channel(colour.green(), ground.green()),
          channel(colour.blue(), ground.blue())};
}

void paintHatch(QPainter& painter, const QRectF& rect, const Colours& colours) {
  constexpr double kStep = 6;
  painter.save();
  painter.setClipRect(rect, Qt::IntersectClip);
  painter.fillRect(rect, mixed(colours.padding(), colours.surface(), 0.08));
  painter.setPen(QPen(colours.padding(), 1.2));
  for (double x = rect.left() - rect.height(); x < rect.right(); x += kStep) {
    painter.drawLine(QPointF(x, rect.bottom()), QPointF(x + rect.height(), rect.top()));
  }
  painter.restore();
}

}  // namespace heapscape::gui
