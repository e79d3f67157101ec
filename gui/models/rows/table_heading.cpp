// SPDX-License-Identifier: MIT
#include "models/rows/table_heading.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>

#include "models/cells/item_painting.h"
#include "widgets/drawing/colours.h"

namespace heapscape::gui {

TableHeading::TableHeading(QWidget* parent) : QHeaderView(Qt::Horizontal, parent) {
  setSectionsClickable(true);
  setSectionsMovable(true);
  setHighlightSections(false);
  setStretchLastSection(true);
}

void TableHeading::paintSection(QPainter* painter, const QRect& rect, int section) const {
  const Colours colours(palette());
  painter->save();
  painter->fillRect(rect, palette().color(QPalette::Base));
  painter->fillRect(QRect(rect.left(), rect.bottom(), rect.width(), 1), colours.gridLine());
  painter->fillRect(QRect(rect.right(), rect.top() + 6, 1, rect.height() - 12), colours.gridLine());
  const bool isSorted = isSortIndicatorShown() && sortIndicatorSection() == section;
  painter->setPen(isSorted ? palette().color(QPalette::Text) : colours.dimmedText());
  paintContent(painter, rect.adjusted(kItemMargin, 0, -kItemMargin, 0), section);
  painter->restore();
}

void TableHeading::paintContent(QPainter* painter, const QRect& rect, int section) const {
  QString text = model()->headerData(section, Qt::Horizontal).toString();
  const auto alignment = model()->headerData(section, Qt::Horizontal, Qt::TextAlignmentRole).value<Qt::Alignment>();
  // The words make way for the arrow, never the arrow for the words.
  const bool isSorted = isSortIndicatorShown() && sortIndicatorSection() == section;
  const bool isRight = alignment & Qt::AlignRight;
  QString arrow;
  if (isSorted) arrow = sortIndicatorOrder() == Qt::DescendingOrder ? u"▾"_s : u"▴"_s;
  if (isSorted && isRight) arrow += QLatin1Char(' ');
  if (isSorted && !isRight) arrow.prepend(QLatin1Char(' '));
  text = fontMetrics().elidedText(text, Qt::ElideRight, rect.width() - fontMetrics().horizontalAdvance(arrow));
  painter->drawText(rect, static_cast<int>(alignment) | Qt::TextSingleLine, isRight ? arrow + text : text + arrow);
}

void TableHeading::setPinned(int sections) {
  m_pinned = sections;
  viewport()->update();
}

bool TableHeading::isPinned(int section) const {
  int before = 0;  // that are shown
  for (int visual = 0; visual < visualIndex(section); ++visual) before += !isSectionHidden(logicalIndex(visual));
  return before < m_pinned && !isSectionHidden(section);
}

int TableHeading::pinnedWidth() const {
  if (m_pinned == 0 || offset() == 0) return 0;
  int width = 0;
  for (int visual = 0, left = m_pinned; visual < count() && left > 0; ++visual) {
    const int section = logicalIndex(visual);
    left -= !isSectionHidden(section);
    width += sectionSize(section);
  }
  return width < viewport()->width() * 4 / 5 ? width : 0;
}

QPoint TableHeading::placeOf(const QPoint& position) const {
  return position.x() < pinnedWidth() ? position - QPoint(offset(), 0) : position;
}

void TableHeading::paintEvent(QPaintEvent* event) {
  QHeaderView::paintEvent(event);
  if (pinnedWidth() == 0) return;
  QPainter painter(viewport());
  for (int visual = 0; visual < count(); ++visual) {
    const int section = logicalIndex(visual);
    if (isPinned(section))
      paintSection(&painter, {sectionPosition(section), 0, sectionSize(section), height()}, section);
  }
}

QMouseEvent TableHeading::placed(const QMouseEvent& event) const {
  return QMouseEvent(event.type(), placeOf(event.position().toPoint()), event.scenePosition(), event.globalPosition(),
                     event.button(), event.buttons(), event.modifiers());
}

void TableHeading::mousePressEvent(QMouseEvent* event) {
  QMouseEvent moved = placed(*event);
  QHeaderView::mousePressEvent(&moved);
}

void TableHeading::mouseReleaseEvent(QMouseEvent* event) {
  QMouseEvent moved = placed(*event);
  QHeaderView::mouseReleaseEvent(&moved);
}

void TableHeading::mouseDoubleClickEvent(QMouseEvent* event) {
  QMouseEvent moved = placed(*event);
  QHeaderView::mouseDoubleClickEvent(&moved);
}

bool TableHeading::viewportEvent(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QHeaderView::viewportEvent(event);
  const auto& help = static_cast<const QHelpEvent&>(*event);
  QHelpEvent moved(event->type(), placeOf(help.pos()), help.globalPos());
  return QHeaderView::viewportEvent(&moved);
}

QSize TableHeading::sectionSizeFromContents(int section) const {
  QSize size = QHeaderView::sectionSizeFromContents(section);
  const QString words = model()->headerData(section, Qt::Horizontal).toString() + u" ▾"_s;
  size.setWidth(fontMetrics().horizontalAdvance(words) + 2 * kItemMargin);
  size.setHeight(std::max(26, fontMetrics().height() * 17 / 10));
  return size;
}

}  // namespace heapscape::gui
