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
  tellCurrent();
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
  tellItemsChanged();
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
  const LayoutDiagramPainter::Look look{palette(), zoomedFont(), m_selected, m_hovered,
                                        isBar(),   true,         true,       hasFocus()};
  LayoutDiagramPainter(*m_items, m_geometry, look).paint(painter, event->rect());
  if (hasFocus() && m_selected == LayoutItem::kNoItem) paintFocusRing(painter, rect(), palette());
}

void LayoutCanvas::paintPicture(QPainter& painter) const {
  if (!m_items) return;
  const LayoutDiagramPainter::Look look{palette(), zoomedFont(), LayoutItem::kNoItem, LayoutItem::kNoItem, isBar()};
  LayoutDiagramPainter(*m_items, m_geometry, look).paint(painter, rect());
}

void LayoutCanvas::press(std::uint32_t item) {
  select(item);
  Q_EMIT picked(item);
  if (canOpen(item)) Q_EMIT openWanted(item, !m_isOpen[item]);
}

void LayoutCanvas::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton || !m_items) return QWidget::mousePressEvent(event);
  const DiagramBox* box = boxAt(m_geometry, event->position());
  press(box ? box->item : LayoutItem::kNoItem);
}

void LayoutCanvas::hover(std::uint32_t item, const QPoint& position) {
  if (item != m_hovered) update();
  m_hovered = item;
  setCursor(canOpen(item) ? Qt::PointingHandCursor : Qt::ArrowCursor);
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

BubbleText LayoutCanvas::itemText(std::size_t item) const {
  const std::uint32_t shown = m_geometry.boxes[item].item;
  return {.swatch = {}, .title = itemName((*m_items)[shown]), .facts = itemFacts(*m_items, shown)};
}

std::optional<std::size_t> LayoutCanvas::currentItem() const {
  const auto current = std::ranges::find(m_geometry.boxes, m_selected, &DiagramBox::item);
  const auto place = static_cast<std::size_t>(current - m_geometry.boxes.begin());
  return current == m_geometry.boxes.end() ? std::nullopt : std::optional(place);
}

void LayoutCanvas::goToItem(std::size_t item) {
  select(m_geometry.boxes[item].item);
  Q_EMIT picked(m_selected);
}

void LayoutCanvas::pressItem(std::size_t item) {
  press(m_geometry.boxes[item].item);
}

bool LayoutCanvas::canOpen(std::uint32_t item) const {
  return m_items && item != LayoutItem::kNoItem && (*m_items)[item].canOpen();
}

std::optional<bool> LayoutCanvas::isItemOpen(std::size_t item) const {
  const std::uint32_t shown = m_geometry.boxes[item].item;
  return canOpen(shown) ? std::optional<bool>(m_isOpen[shown]) : std::nullopt;
}

void LayoutCanvas::wantOpen(bool isOpen) {
  if (canOpen(m_selected)) Q_EMIT openWanted(m_selected, isOpen);
}

}  // namespace heapscape::gui
