// SPDX-License-Identifier: MIT
#include "widgets/drawing/warning_ground.h"

#include <QPainter>
#include <QWidget>

#include "widgets/drawing/colours.h"
#include "widgets/drawing/symbol_icon.h"

namespace heapscape::gui {

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
  painter.drawPixmap(sign, symbolPixmap(QStringLiteral("warning"), warning, side, widget.devicePixelRatioF()));
}

}  // namespace heapscape::gui
