// SPDX-License-Identifier: MIT
#include "widgets/layout_diagram/diagram_canvas.h"

#include <QEvent>
#include <QFontMetricsF>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QScrollBar>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

#include "layout/layout_items.h"
#include "widgets/drawing/colours.h"
#include "widgets/hover_bubble.h"
#include "widgets/layout_diagram/layout_item_text.h"
#include "widgets/text/elided_text.h"
#include "widgets/text/fonts.h"

namespace heapscape::gui {

using engine::LayoutItems;
using engine::LayoutLevel;

DiagramCanvas::DiagramCanvas(QWidget* parent) : QWidget(parent), PictureItems(this) {
  setObjectName(u"layoutCanvas"_s);
  setAccessibleName(u"Layout diagram"_s);
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
  const bool isUpOrDown = event->key() == Qt::Key_Up || event->key() == Qt::Key_Down;
  if (m_stepsTypes && isUpOrDown && !(event->modifiers() & Qt::ControlModifier)) {
    Q_EMIT typeStepWanted(event->key() == Qt::Key_Up ? -1 : 1);
    return;
  }
  switch (event->key()) {
    case Qt::Key_Right:
    case Qt::Key_Left:
      wantOpen(event->key() == Qt::Key_Right);
      return;
    case Qt::Key_Space:
      if (const auto item = currentItem()) pressItem(*item);
      return;
    default:
      if (!takesKey(event->key())) QWidget::keyPressEvent(event);
  }
}

using engine::LayoutItem;
using engine::LayoutItems;
using engine::LayoutPart;

namespace {

constexpr double kZoomStep = 1.15;
constexpr int kLeastZoom = -4;
constexpr int kMostZoom = 8;

}  // namespace

DiagramScroller::DiagramScroller(QWidget* canvas, QWidget* parent)
    : QScrollArea(parent), m_bubble(new HoverBubble(viewport())) {
  setObjectName(u"layoutDiagram"_s);
  setFrameShape(QFrame::NoFrame);
  setFocusPolicy(Qt::NoFocus);
  setFocusProxy(canvas);
  setWidget(canvas);
  // Always there, so that the width does not depend on the height that depends on it.
  setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOn);
  updateBackground();
}

void DiagramScroller::zoomBy(int steps) {
  m_zoomSteps = std::clamp(m_zoomSteps + steps, kLeastZoom, kMostZoom);
  hideBubble();
  setCanvasZoom(std::pow(kZoomStep, m_zoomSteps));
}

void DiagramScroller::scrollTo(const QRect& bounds) {
  if (bounds.isEmpty()) return;
  constexpr int kMargin = 24;
  const QPoint middle = bounds.center();
  ensureVisible(middle.x(), middle.y(), std::min(bounds.width() / 2 + kMargin, viewport()->width() / 2),
                std::min(bounds.height() / 2 + kMargin, viewport()->height() / 2));
}

void DiagramScroller::showBubble(const LayoutItems& items, const std::vector<DiagramBox>& boxes, std::uint32_t item,
                                 const QPoint& inView, const QStringList& more) {
  const LayoutItem& shown = items[item];
  const Colours colours(palette());
  const bool isPadding = shown.part == LayoutPart::Padding;
  const bool isField = shown.part == LayoutPart::Field || shown.part == LayoutPart::Element;
  const QColor swatch = isPadding ? colours.padding() : isField ? colours.of(shown.kind) : colours.methodTable();
  QStringList facts = itemFacts(items, item) + more;
  const auto box = std::ranges::find(boxes, item, &DiagramBox::item);
  if (box != boxes.end() && box->isOverlapping) facts << u"shares bytes with the fields above or below it"_s;
  m_bubble->showAt(inView, {swatch, itemName(shown), facts});
}

void DiagramScroller::showBubble(const QString& title, const QStringList& facts, const QPoint& inView) {
  m_bubble->showAt(inView, {{}, title, facts});
}

void DiagramScroller::hideBubble() {
  m_bubble->hide();
}

void DiagramScroller::resizeEvent(QResizeEvent* event) {
  QScrollArea::resizeEvent(event);
  setCanvasRoom(viewport()->width());
}

void DiagramScroller::wheelEvent(QWheelEvent* event) {
  if (!(event->modifiers() & Qt::ControlModifier)) {
    QScrollArea::wheelEvent(event);
    return;
  }
  const double before = widget()->height();
  const int inView = event->position().toPoint().y();
  const double at = (verticalScrollBar()->value() + inView) / before;
  zoomBy(event->angleDelta().y() > 0 ? 1 : -1);
  verticalScrollBar()->setValue(static_cast<int>(at * widget()->height()) - inView);
  event->accept();
}

void DiagramScroller::updateBackground() {
  QPalette ground = viewport()->palette();
  const QColor surface = Colours(palette()).surface();
  if (ground.color(QPalette::Window) == surface) return;
  ground.setColor(QPalette::Window, surface);
  viewport()->setPalette(ground);
  viewport()->setAutoFillBackground(true);
}

void DiagramScroller::changeEvent(QEvent* event) {
  QScrollArea::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) updateBackground();
}

}  // namespace heapscape::gui
