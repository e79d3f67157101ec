// SPDX-License-Identifier: MIT
#include "widgets/drawing/marks.h"

#include <QPainter>
#include <QPainterPath>
#include <QPolygonF>
#include <QWidget>
#include <algorithm>
#include <cmath>

#include "widgets/drawing/colours.h"
#include "widgets/drawing/symbol_icon.h"

namespace heapscape::gui {

std::vector<SeamDash> seamDashes(double length) {
  constexpr double kShortest = 2;
  std::vector<SeamDash> dashes;
  if (length < kShortest) return dashes;
  const double count = std::max(1.0, std::floor((length + kSeamGap) / (kSeamDash + kSeamGap)));
  const double dash = (length - kSeamGap * (count - 1)) / count;
  for (int i = 0; i < static_cast<int>(count); ++i) dashes.push_back({i * (dash + kSeamGap), dash});
  return dashes;
}

std::vector<QRectF> seamAlong(const QRectF& part) {
  std::vector<QRectF> rects;
  if (part.height() < 2 * kSeamInset + kSeamWidth) return rects;
  for (const SeamDash& dash : seamDashes(part.width() - 2 * kSeamInset))
    rects.emplace_back(part.left() + kSeamInset + dash.start, part.top() + kSeamInset, dash.length, kSeamWidth);
  return rects;
}

void paintSeam(QPainter& painter, const QRectF& part, const QColor& colour) {
  QPainterPath path;
  for (const QRectF& dash : seamAlong(part)) path.addRect(dash);
  painter.fillPath(path, colour);
}

void paintReferenceMark(QPainter& painter, const QRectF& room, const QColor& colour) {
  const double head = room.width() * 0.55;
  const double shaft = room.height() * 0.26;
  const double middle = room.center().y();
  const double neck = room.right() - head;
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(Qt::NoPen);
  painter.setBrush(colour);
  painter.drawPolygon(QPolygonF({{room.left(), middle - shaft / 2},
                                 {neck, middle - shaft / 2},
                                 {neck, room.top()},
                                 {room.right(), middle},
                                 {neck, room.bottom()},
                                 {neck, middle + shaft / 2},
                                 {room.left(), middle + shaft / 2}}));
  painter.restore();
}

void paintPinMark(QPainter& painter, const QPointF& foot, const QColor& colour, const QColor& ground) {
  const double half = kPinMarkSize.width() / 2;
  const double top = foot.y() - kPinMarkSize.height();
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(QPen(ground, 1));
  painter.setBrush(colour);
  painter.drawPolygon(QPolygonF({{foot.x() - half, top},
                                 {foot.x() + half, top},
                                 {foot.x() + half, top + half},
                                 {foot.x(), foot.y()},
                                 {foot.x() - half, top + half}}));
  painter.restore();
}

void paintWarningGround(QWidget& widget, const QPoint& sign, int side) {
  QPainter painter(&widget);
  painter.setRenderHint(QPainter::Antialiasing);
  const Colours colours(widget.palette());
  const QColor warning = colours.warning();
  QColor ground = warning;
  ground.setAlphaF(0.10F);
  painter.setPen(colours.isContrast ? QPen(warning, 1) : QPen(Qt::NoPen));
  painter.setBrush(ground);
  painter.drawRoundedRect(QRectF(widget.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 8, 8);
  painter.drawPixmap(sign, symbolPixmap(u"warning"_s, warning, side, widget.devicePixelRatioF()));
}

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
