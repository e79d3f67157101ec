// SPDX-License-Identifier: MIT
#include "widgets/layout_diagram/side_by_side_diagram.h"

#include <QScrollBar>
#include <algorithm>
#include <utility>

#include "widgets/drawing/picture_actions.h"
#include "widgets/layout_diagram/side_by_side_canvas.h"

namespace heapscape::gui {

using engine::LayoutItem;
using engine::LayoutItems;

namespace {

constexpr std::size_t kOpenAtOnceUpTo = 64;  // items, so that no giant opens by itself

}  // namespace

SideBySideDiagram::SideBySideDiagram(QWidget* parent) : SideBySideDiagram(new SideBySideCanvas, parent) {}

SideBySideDiagram::SideBySideDiagram(SideBySideCanvas* canvas, QWidget* parent)
    : DiagramScroller(canvas, parent), m_canvas(canvas) {
  addPictureActions(
      m_canvas, [this](QPainter& painter, QSize) { m_canvas->paintPicture(painter); }, u"layout"_s,
      PictureContents::None);
  connect(m_canvas, &SideBySideCanvas::picked, this, &SideBySideDiagram::picked);
  connect(m_canvas, &SideBySideCanvas::openWanted, this, &SideBySideDiagram::setOpen);
  connect(m_canvas, &SideBySideCanvas::hovered, this, &SideBySideDiagram::hover);
}

const FieldMatches& SideBySideDiagram::matches() const {
  return m_canvas->matches();
}

bool SideBySideDiagram::isOpen(std::uint32_t field) const {
  return field < m_canvas->isOpen().size() && m_canvas->isOpen()[field];
}

bool SideBySideDiagram::canOpenAny() const {
  return std::ranges::any_of(m_canvas->columns(), [](const DiagramColumn& column) {
    return std::ranges::any_of(column.items->items, &LayoutItem::canOpen);
  });
}

void SideBySideDiagram::show(std::vector<DiagramColumn> columns) {
  m_canvas->select(FieldMatches::kNone);
  setColumns(std::move(columns));
  openWherePaddingIs();
  verticalScrollBar()->setValue(0);
  horizontalScrollBar()->setValue(0);
}

void SideBySideDiagram::setColumns(std::vector<DiagramColumn> columns) {
  hideBubble();
  m_canvas->setRoom(viewport()->width());
  m_canvas->setColumns(std::move(columns));
  Q_EMIT openChanged();
}

// What the totals count shall be seen.
void SideBySideDiagram::openWherePaddingIs() {
  std::vector<bool> isOpen(matches().count());
  for (std::size_t column = 0; column < m_canvas->columns().size(); ++column) {
    const LayoutItems& items = *m_canvas->columns()[column].items;
    if (items.items.size() > kOpenAtOnceUpTo) continue;
    for (std::uint32_t item = 0; item < items.items.size(); ++item) {
      if (items[item].canOpen() && holdsPadding(items, item)) isOpen[matches().fieldOf(column, item)] = true;
    }
  }
  m_canvas->setOpen(std::move(isOpen));
  Q_EMIT openChanged();
}

void SideBySideDiagram::setOpen(std::uint32_t field, bool isOpen) {
  if (field >= matches().count() || this->isOpen(field) == isOpen) return;
  hideBubble();
  std::vector<bool> all = m_canvas->isOpen();
  all[field] = isOpen;
  m_canvas->setOpen(std::move(all));
  Q_EMIT openChanged();
}

void SideBySideDiagram::setAllOpen(bool isOpen) {
  hideBubble();
  std::vector<bool> all(matches().count());
  for (std::uint32_t field = 0; field < all.size(); ++field) all[field] = isOpen && m_canvas->canOpen(field);
  m_canvas->setOpen(std::move(all));
  Q_EMIT openChanged();
}

void SideBySideDiagram::setBar(bool isBar) {
  hideBubble();
  m_canvas->setBar(isBar);
}

void SideBySideDiagram::select(std::uint32_t field) {
  m_canvas->select(field);
  QRect bounds = m_canvas->boundsOf(0, field);
  for (std::size_t column = 1; bounds.isEmpty() && column < m_canvas->columns().size(); ++column) {
    bounds = m_canvas->boundsOf(column, field);
  }
  scrollTo(bounds);
}

void SideBySideDiagram::setCanvasZoom(double zoom) {
  m_canvas->setZoom(zoom);
}

void SideBySideDiagram::setCanvasRoom(int width) {
  m_canvas->setRoom(width);
}

void SideBySideDiagram::hover(int column, std::uint32_t item, const QPoint& position) {
  if (column < 0) {
    hideBubble();
    return;
  }
  const DiagramColumn& layout = m_canvas->columns()[static_cast<std::size_t>(column)];
  const QPoint inView = m_canvas->mapTo(viewport(), position);
  if (item != LayoutItem::kNoItem) {
    const auto& boxes = m_canvas->geometry().columns[static_cast<std::size_t>(column)].boxes;
    showBubble(*layout.items, boxes, item, inView);
    return;
  }
  QStringList facts = layout.facts;
  if (!layout.tip.isEmpty()) facts << layout.tip.split(QLatin1Char('\n'));
  showBubble(layout.title, facts, inView);
}

}  // namespace heapscape::gui
