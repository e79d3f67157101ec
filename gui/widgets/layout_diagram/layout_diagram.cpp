// SPDX-License-Identifier: MIT
#include "widgets/layout_diagram/layout_diagram.h"

#include <QKeyEvent>
#include <QPaintEvent>
#include <QPainter>
#include <QScrollBar>
#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "widgets/arranging/layouts.h"
#include "widgets/drawing/colours.h"
#include "widgets/drawing/picture_actions.h"
#include "widgets/layout_diagram/layout_diagram_painter.h"
#include "widgets/layout_diagram/layout_item_text.h"
#include "widgets/legend_chip.h"

namespace heapscape::gui {

using engine::LayoutItem;
using engine::LayoutItems;
using engine::LayoutPart;

LayoutLegend::LayoutLegend(QWidget* parent) : QWidget(parent) {
  auto* line = new FlowLayout(this, 12);
  line->setContentsMargins(12, 4, 12, 4);
  const auto add = [&](const QString& text, const QString& tip, std::function<ChipSample(const Colours&)> sample) {
    auto* chip = new LegendChip(text, std::move(sample), this);
    chip->setToolTip(tip);
    line->addWidget(chip);
    return chip;
  };
  using engine::FieldKind;
  // As fields are painted: their ground, and at its edge the full colour.
  const auto sampleOf = [](FieldKind kind) {
    return [kind](const Colours& colours) {
      QColor line = colours.of(kind);
      line.setAlpha(255);
      return ChipSample{fieldGround(kind, colours), QPen(line, 1.5), kind == FieldKind::Reference};
    };
  };
  m_reference = add(u"Reference →"_s, u"8 bytes that the GC follows"_s, sampleOf(FieldKind::Reference));
  m_primitive =
      add(u"Primitive"_s, u"A number, a character, a pointer the GC does not follow"_s, sampleOf(FieldKind::Primitive));
  m_valueType = add(u"Value type"_s, u"Lies inside; click it to open it"_s, sampleOf(FieldKind::ValueType));
  m_padding = add(u"Padding"_s, u"Bytes that no field uses"_s, [](const Colours& colours) {
    return ChipSample{.fill = colours.paddingBrush(), .line = QPen(colours.padding(), 1), .isHatched = true};
  });
  m_cacheLine =
      add(u"Cache line ┄"_s,
          u"Every 64 bytes from the object's address; where the lines of the processor fall depends on that address"_s,
          [](const Colours& colours) {
            return ChipSample{colours.surface(), QPen(colours.dimmedText(), 1, Qt::DashLine)};
          });
}

void LayoutLegend::showWhatIsIn(const std::vector<const LayoutItems*>& pictures) {
  const auto isAny = [&pictures](const auto& isIt) {
    return std::ranges::any_of(pictures,
                               [&](const LayoutItems* items) { return std::ranges::any_of(items->items, isIt); });
  };
  const auto isOf = [](engine::FieldKind kind) {
    return [kind](const LayoutItem& item) {
      const bool isField =
          item.part == LayoutPart::Field || item.part == LayoutPart::Element || item.part == LayoutPart::Repeated;
      return isField && item.kind == kind;
    };
  };
  using engine::FieldKind;
  m_reference->setVisible(isAny(isOf(FieldKind::Reference)));
  m_primitive->setVisible(isAny(isOf(FieldKind::Primitive)) || isAny(isOf(FieldKind::Pointer)));
  m_valueType->setVisible(isAny(isOf(FieldKind::ValueType)));
  m_padding->setVisible(isAny([](const LayoutItem& item) {
    return item.part == LayoutPart::Padding || item.hiddenPaddingBytes > 0 || item.mostTailBytes > 0;
  }));
  m_cacheLine->setVisible(
      std::ranges::any_of(pictures, [](const LayoutItems* items) { return items->end > kCacheLineBytes; }));
}

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
  if (event->button() != Qt::LeftButton || !m_items) {
    QWidget::mousePressEvent(event);
    return;
  }
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

using engine::LayoutItem;
using engine::LayoutItems;

LayoutDiagram::LayoutDiagram(QWidget* parent) : LayoutDiagram(new LayoutCanvas, parent) {}

LayoutDiagram::LayoutDiagram(LayoutCanvas* canvas, QWidget* parent)
    : DiagramScroller(canvas, parent), m_canvas(canvas) {
  addPictureActions(
      m_canvas, [this](QPainter& painter, QSize) { m_canvas->paintPicture(painter); }, u"layout"_s,
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
  if (item == LayoutItem::kNoItem || !m_items) {
    hideBubble();
    return;
  }
  showBubble(*m_items, m_canvas->geometry().boxes, item, m_canvas->mapTo(viewport(), position));
}

}  // namespace heapscape::gui
