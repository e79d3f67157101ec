// SPDX-License-Identifier: MIT
#include "widgets/layout_diagram/layout_canvas.h"

#include <QKeyEvent>
#include <QPaintEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "widgets/drawing/colours.h"
#include "widgets/layout_diagram/layout_diagram_painter.h"
#include "widgets/layout_diagram/layout_item_text.h"

namespace heapscape::gui {

using engine::LayoutItem;
using engine::LayoutItems;

LayoutCanvas::LayoutCanvas(QWidget* parent) : DiagramCanvas(parent) {}

void LayoutCanvas::show(std::shared_ptr<const LayoutItems> items, std::vector<bool> isOpen) {
  m_items = std::move(items);
  m_isOpen = std::move(isOpen);
  m_selected = m_hovered = LayoutItem::kNoItem;
  layOut();
}

void LayoutCanvas::setOpen(std::vector<bool> isOpen) {
  m_isOpen = std::move(isOpen);
  layOut();
}

void LayoutCanvas::select(std::uint32_t item) {
  if (item == m_selected) return;
  m_selected = item;
  const bool isAny = m_items && item != LayoutItem::kNoItem;
  setAccessibleDescription(isAny ? itemName((*m_items)[item]) + QStringLiteral(": ") +
                                       itemFacts(*m_items, item).join(QStringLiteral(", "))
                                 : QString());
  update();
}

DiagramMetrics LayoutCanvas::metrics() const {
  const QFontMetricsF font(zoomedFont());
  const double line = font.height();
  DiagramMetrics metrics;
  metrics.isBar = isBar();
  metrics.lineHeight = std::ceil(std::max(24.0 * std::min(1.0, zoom()), line * 1.75));
  metrics.captionHeight = std::ceil(line * 1.35);
  metrics.inset = 3;
  metrics.gap = 8;
  metrics.rulerHeight = std::ceil(line * 1.2);
  metrics.bracketWidth = widthOfLevels(*m_items);
  const double widestOffset = font.horizontalAdvance(offsetText(std::max<std::int64_t>(m_items->end, 1000)));
  metrics.gutterWidth = std::ceil(widestOffset * 1.1 + 24);
  const auto bytes = static_cast<double>(m_items->end - m_items->begin);
  if (isBar()) {
    const double fitting = (room() - 3 * metrics.gap) / bytes * zoom();
    metrics.byteWidth =
        std::clamp(fitting, std::min(font.averageCharWidth() * 2.2, kMostDiagramWidth / bytes), line * 5);
    metrics.lineHeight = std::ceil(line * 3);
  } else {
    const double rowRoom = room() - metrics.gutterWidth - metrics.bracketWidth - 3 * metrics.gap;
    const double fitting = std::floor(rowRoom / 8 * std::max(1.0, zoom()));
    metrics.byteWidth = std::clamp(fitting, line * 2, line * 6);
  }
  return metrics;
}

void LayoutCanvas::layOut() {
  m_geometry = m_items ? layOutDiagram(*m_items, m_isOpen, metrics()) : DiagramGeometry();
  resize(m_geometry.size.toSize().expandedTo({1, 1}));
  update();
}

QRect LayoutCanvas::boundsOf(std::uint32_t item) const {
  const auto box = std::ranges::find(m_geometry.boxes, item, &DiagramBox::item);
  QRectF bounds;
  if (box == m_geometry.boxes.end()) return {};
  for (const QRectF& part : box->parts) bounds = bounds.united(part);
  return bounds.toAlignedRect();
}

void LayoutCanvas::paintEvent(QPaintEvent* event) {
  if (!m_items) return;
  QPainter painter(this);
  painter.fillRect(event->rect(), Colours(palette()).surface());
  const LayoutDiagramPainter::Look look{palette(), zoomedFont(), m_selected, m_hovered, isBar()};
  LayoutDiagramPainter(*m_items, m_geometry, look).paint(painter, event->rect());
}

void LayoutCanvas::paintPicture(QPainter& painter) const {
  if (!m_items) return;
  const LayoutDiagramPainter::Look look{palette(), zoomedFont(), LayoutItem::kNoItem, LayoutItem::kNoItem, isBar()};
  LayoutDiagramPainter(*m_items, m_geometry, look).paint(painter, rect());
}

void LayoutCanvas::toggle(std::uint32_t item) {
  if (item != LayoutItem::kNoItem && (*m_items)[item].canOpen()) Q_EMIT openWanted(item, !m_isOpen[item]);
}

void LayoutCanvas::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton || !m_items) return QWidget::mousePressEvent(event);
  const DiagramBox* box = boxAt(m_geometry, event->position());
  const std::uint32_t item = box ? box->item : LayoutItem::kNoItem;
  select(item);
  Q_EMIT picked(item);
  toggle(item);
}

// The second press of a double click is a press of its own, not a request to undo the first.
void LayoutCanvas::mouseDoubleClickEvent(QMouseEvent* event) {
  event->accept();
}

void LayoutCanvas::hover(std::uint32_t item, const QPoint& position) {
  if (item != m_hovered) update();
  m_hovered = item;
  const bool canOpen = item != LayoutItem::kNoItem && (*m_items)[item].canOpen();
  setCursor(canOpen ? Qt::PointingHandCursor : Qt::ArrowCursor);
  Q_EMIT hovered(item, position);
}

void LayoutCanvas::mouseMoveEvent(QMouseEvent* event) {
  const DiagramBox* box = m_items ? boxAt(m_geometry, event->position()) : nullptr;
  hover(box ? box->item : LayoutItem::kNoItem, event->position().toPoint());
}

void LayoutCanvas::leaveEvent(QEvent* event) {
  hover(LayoutItem::kNoItem, {});
  QWidget::leaveEvent(event);
}

void LayoutCanvas::step(int by) {
  if (m_geometry.boxes.empty()) return;
  const auto current = std::ranges::find(m_geometry.boxes, m_selected, &DiagramBox::item);
  const auto count = static_cast<int>(m_geometry.boxes.size());
  const bool isNone = current == m_geometry.boxes.end();
  const int from = isNone ? (by > 0 ? -1 : count) : static_cast<int>(current - m_geometry.boxes.begin());
  const std::uint32_t item = m_geometry.boxes[static_cast<std::size_t>(std::clamp(from + by, 0, count - 1))].item;
  select(item);
  Q_EMIT picked(item);
}

void LayoutCanvas::keyPressEvent(QKeyEvent* event) {
  const bool canOpen = m_items && m_selected != LayoutItem::kNoItem && (*m_items)[m_selected].canOpen();
  switch (event->key()) {
    case Qt::Key_Down:
      return step(1);
    case Qt::Key_Up:
      return step(-1);
    case Qt::Key_Right:
    case Qt::Key_Left:
      if (canOpen) Q_EMIT openWanted(m_selected, event->key() == Qt::Key_Right);
      return;
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space:
      if (canOpen) toggle(m_selected);
      return;
    default:
      QWidget::keyPressEvent(event);
  }
}

}  // namespace heapscape::gui
