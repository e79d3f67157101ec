// SPDX-License-Identifier: MIT
#include "widgets/layout_diagram/layout_diagram.h"

#include <QScrollBar>
#include <utility>

#include "widgets/drawing/picture_actions.h"
#include "widgets/layout_diagram/layout_canvas.h"

namespace heapscape::gui {

using engine::LayoutItem;
using engine::LayoutItems;

LayoutDiagram::LayoutDiagram(QWidget* parent) : LayoutDiagram(new LayoutCanvas, parent) {}

LayoutDiagram::LayoutDiagram(LayoutCanvas* canvas, QWidget* parent)
    : DiagramScroller(canvas, parent), m_canvas(canvas) {
  addPictureActions(
      m_canvas, [this](QPainter& painter, QSize) { m_canvas->paintPicture(painter); }, QStringLiteral("layout"),
      PictureContents::None);
  connect(m_canvas, &LayoutCanvas::picked, this, &LayoutDiagram::picked);
  connect(m_canvas, &LayoutCanvas::openWanted, this, &LayoutDiagram::openWanted);
  connect(m_canvas, &LayoutCanvas::hovered, this, &LayoutDiagram::hover);
}

void LayoutDiagram::show(std::shared_ptr<const LayoutItems> items, std::vector<bool> isOpen) {
  hideBubble();
  m_items = items;
  m_canvas->setRoom(viewport()->width());
  m_canvas->show(std::move(items), std::move(isOpen));
  verticalScrollBar()->setValue(0);
  horizontalScrollBar()->setValue(0);
}

void LayoutDiagram::setOpen(std::vector<bool> isOpen) {
  hideBubble();
  m_canvas->setOpen(std::move(isOpen));
}

void LayoutDiagram::setBar(bool isBar) {
  hideBubble();
  m_canvas->setBar(isBar);
}

void LayoutDiagram::select(std::uint32_t item) {
  m_canvas->select(item);
  scrollTo(m_canvas->boundsOf(item));
}

void LayoutDiagram::setCanvasZoom(double zoom) {
  m_canvas->setZoom(zoom);
}

void LayoutDiagram::setCanvasRoom(int width) {
  m_canvas->setRoom(width);
}

void LayoutDiagram::hover(std::uint32_t item, const QPoint& position) {
  if (item == LayoutItem::kNoItem || !m_items) return hideBubble();
  showBubble(*m_items, m_canvas->geometry().boxes, item, m_canvas->mapTo(viewport(), position));
}

}  // namespace heapscape::gui
