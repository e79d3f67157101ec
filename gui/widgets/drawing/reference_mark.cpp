// SPDX-License-Identifier: MIT
#include "widgets/drawing/reference_mark.h"

#include <QPainter>
#include <QPolygonF>

namespace heapscape::gui {

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

}  // namespace heapscape::gui
