// SPDX-License-Identifier: MIT
#include "widgets/painted_button.h"

#include <QKeyEvent>
#include <QPainter>

#include "widgets/drawing/colours.h"

namespace heapscape::gui {

namespace {

constexpr double kRadius = 5;

}  // namespace

PaintedButton::PaintedButton(QWidget* parent) : QAbstractButton(parent) {
  setAttribute(Qt::WA_Hover);  // paints on entering and leaving
}

void PaintedButton::setLeadsSomewhere(bool leads) {
  setCursor(leads ? Qt::PointingHandCursor : Qt::ArrowCursor);
  setFocusPolicy(leads ? Qt::TabFocus : Qt::NoFocus);
}

void PaintedButton::paintGround(QPainter& painter) const {
  if (!isEnabled() || !leadsSomewhere() || (!underMouse() && !hasFocus())) return;
  const QPen edge = hasFocus() ? focusRing(palette()) : QPen(Qt::NoPen);
  const double inset = edge.widthF() / 2;
  painter.setPen(edge);
  painter.setBrush(palette().color(QPalette::Midlight));
  painter.drawRoundedRect(QRectF(rect()).adjusted(inset, inset, -inset, -inset), kRadius, kRadius);
}

void PaintedButton::changeEvent(QEvent* event) {
  QAbstractButton::changeEvent(event);
  if (event->type() != QEvent::PaletteChange && event->type() != QEvent::FontChange) return;
  updateGeometry();
  update();
}

// Of a button that the style paints, the style would know that Enter presses it.
void PaintedButton::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) {
    click();
    return;
  }
  QAbstractButton::keyPressEvent(event);
}

}  // namespace heapscape::gui
