// SPDX-License-Identifier: MIT
#include "widgets/layout_diagram/layout_diagram.h"

#include <QEvent>
#include <QScrollBar>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

#include "models/layout_item_text.h"
#include "widgets/colours.h"
#include "widgets/hover_bubble.h"
#include "widgets/layout_diagram/layout_canvas.h"
#include "widgets/picture_actions.h"

namespace heapscape::gui {
namespace {

constexpr double kZoomStep = 1.15;
constexpr int kLeastZoom = -4;
constexpr int kMostZoom = 8;

}  // namespace

LayoutDiagram::LayoutDiagram(QWidget* parent)
    : QScrollArea(parent), m_canvas(new LayoutCanvas), m_bubble(new HoverBubble(viewport())) {
  setObjectName(QStringLiteral("layoutDiagram"));
  setFrameShape(QFrame::NoFrame);
  setFocusPolicy(Qt::NoFocus);
  setFocusProxy(m_canvas);
  setWidget(m_canvas);
  // Always there, so that the width does not depend on the height that depends on it.
  setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOn);
  addPictureActions(
      m_canvas, [this](QPainter& painter, QSize) { m_canvas->paintPicture(painter); }, QStringLiteral("layout"));
  connect(m_canvas, &LayoutCanvas::picked, this, &LayoutDiagram::picked);
  connect(m_canvas, &LayoutCanvas::openWanted, this, &LayoutDiagram::openWanted);
  connect(m_canvas, &LayoutCanvas::hovered, this, &LayoutDiagram::showBubble);
  updateBackground();
}

void LayoutDiagram::show(std::shared_ptr<const LayoutItems> items, std::vector<bool> isOpen) {
  m_bubble->hide();
  m_items = items;
  m_canvas->setRoom(viewport()->width());
  m_canvas->show(std::move(items), std::move(isOpen));
  verticalScrollBar()->setValue(0);
  horizontalScrollBar()->setValue(0);
}

void LayoutDiagram::setOpen(std::vector<bool> isOpen) {
  m_bubble->hide();
  m_canvas->setOpen(std::move(isOpen));
}

void LayoutDiagram::setBar(bool isBar) {
  m_bubble->hide();
  m_canvas->setBar(isBar);
}

void LayoutDiagram::select(std::uint32_t item) {
  m_canvas->select(item);
  const QRect bounds = m_canvas->boundsOf(item);
  if (bounds.isEmpty()) return;
  constexpr int kMargin = 24;
  const QPoint middle = bounds.center();
  ensureVisible(middle.x(), middle.y(), std::min(bounds.width() / 2 + kMargin, viewport()->width() / 2),
                std::min(bounds.height() / 2 + kMargin, viewport()->height() / 2));
}

void LayoutDiagram::zoomBy(int steps) {
  m_zoomSteps = std::clamp(m_zoomSteps + steps, kLeastZoom, kMostZoom);
  m_bubble->hide();
  m_canvas->setZoom(std::pow(kZoomStep, m_zoomSteps));
}

void LayoutDiagram::resetZoom() {
  zoomBy(-m_zoomSteps);
}

void LayoutDiagram::showBubble(std::uint32_t item, const QPoint& position) {
  if (item == LayoutItem::kNoItem || !m_items) return m_bubble->hide();
  const LayoutItem& shown = (*m_items)[item];
  const Colours colours(palette());
  const bool isPadding = shown.part == LayoutPart::Padding;
  const bool isField = shown.part == LayoutPart::Field || shown.part == LayoutPart::Element;
  const QColor swatch = isPadding ? colours.padding() : isField ? colours.of(shown.kind) : colours.methodTable();
  const QPoint inView = m_canvas->mapTo(viewport(), position);
  QStringList facts = itemFacts(*m_items, item);
  const auto& boxes = m_canvas->geometry().boxes;
  const auto box = std::ranges::find(boxes, item, &DiagramBox::item);
  if (box != boxes.end() && box->isOverlapping) facts << tr("shares bytes with the fields above or below it");
  m_bubble->showAt(inView, {swatch, itemName(shown), facts});
}

void LayoutDiagram::resizeEvent(QResizeEvent* event) {
  QScrollArea::resizeEvent(event);
  m_canvas->setRoom(viewport()->width());
}

void LayoutDiagram::wheelEvent(QWheelEvent* event) {
  if (!(event->modifiers() & Qt::ControlModifier)) return QScrollArea::wheelEvent(event);
  const double before = m_canvas->height();
  const int inView = event->position().toPoint().y();
  const double at = (verticalScrollBar()->value() + inView) / before;
  zoomBy(event->angleDelta().y() > 0 ? 1 : -1);
  verticalScrollBar()->setValue(static_cast<int>(at * m_canvas->height()) - inView);
  event->accept();
}

void LayoutDiagram::updateBackground() {
  QPalette ground = viewport()->palette();
  const QColor surface = Colours(palette()).surface();
  if (ground.color(QPalette::Window) == surface) return;
  ground.setColor(QPalette::Window, surface);
  viewport()->setPalette(ground);
  viewport()->setAutoFillBackground(true);
}

void LayoutDiagram::changeEvent(QEvent* event) {
  QScrollArea::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) updateBackground();
}

}  // namespace heapscape::gui
