// SPDX-License-Identifier: MIT
#include "widgets/layout_diagram/diagram_canvas.h"

#include <QEvent>
#include <QFontMetricsF>
#include <QKeyEvent>
#include <QMouseEvent>
#include <algorithm>

#include "layout/layout_items.h"
#include "widgets/text/fonts.h"
#include "widgets/text/short_type_name.h"

namespace heapscape::gui {

using engine::LayoutItems;
using engine::LayoutLevel;

DiagramCanvas::DiagramCanvas(QWidget* parent) : QWidget(parent), PictureItems(this) {
  setObjectName(QStringLiteral("layoutCanvas"));
  setAccessibleName(QStringLiteral("Layout diagram"));
  setMouseTracking(true);
  setFocusPolicy(Qt::StrongFocus);
}

void DiagramCanvas::setBar(bool isBar) {
  m_isBar = isBar;
  layOut();
}

void DiagramCanvas::setZoom(double zoom) {
  m_zoom = zoom;
  layOut();
}

void DiagramCanvas::setRoom(int width) {
  if (width == m_room) return;
  m_room = width;
  layOut();
}

QFont DiagramCanvas::zoomedFont() const {
  return scaledFont(font(), m_zoom);
}

double DiagramCanvas::widthOfLevels(const LayoutItems& items) const {
  if (items.levels.empty() || items.isUnboxed || m_isBar) return 0;
  const QFontMetricsF metrics(zoomedFont());
  double widest = 0;
  for (const LayoutLevel& level : items.levels) {
    widest = std::max(widest, metrics.horizontalAdvance(shortTypeName(level.typeName)));
  }
  return std::min(widest + metrics.height() * 2.5, std::max(m_room * 0.26, metrics.height() * 6));
}

void DiagramCanvas::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::FontChange) layOut();
  if (event->type() == QEvent::PaletteChange) update();
}

// The second press of a double click is a press of its own, not a request to undo the first.
void DiagramCanvas::mouseDoubleClickEvent(QMouseEvent* event) {
  event->accept();
}

void DiagramCanvas::keyPressEvent(QKeyEvent* event) {
  switch (event->key()) {
    case Qt::Key_Right:
    case Qt::Key_Left:
      return wantOpen(event->key() == Qt::Key_Right);
    case Qt::Key_Space:
      if (const auto item = currentItem()) pressItem(*item);
      return;
    default:
      if (!takesKey(event->key())) QWidget::keyPressEvent(event);
  }
}

}  // namespace heapscape::gui
