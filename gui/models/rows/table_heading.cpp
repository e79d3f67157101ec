// SPDX-License-Identifier: MIT
#include "models/rows/table_heading.h"

#include <QPainter>
#include <algorithm>

#include "models/cells/item_painting.h"
#include "widgets/drawing/colours.h"

namespace heapscape::gui {

TableHeading::TableHeading(QWidget* parent) : QHeaderView(Qt::Horizontal, parent) {
  setSectionsClickable(true);
  setSectionsMovable(false);
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
  if (isSortIndicatorShown() && sortIndicatorSection() == section) {
    const QString arrow = sortIndicatorOrder() == Qt::DescendingOrder ? QStringLiteral("▾") : QStringLiteral("▴");
    text = alignment & Qt::AlignRight ? arrow + QLatin1Char(' ') + text : text + QLatin1Char(' ') + arrow;
  }
  painter->drawText(rect, static_cast<int>(alignment) | Qt::TextSingleLine,
                    fontMetrics().elidedText(text, Qt::ElideRight, rect.width()));
}

QSize TableHeading::sectionSizeFromContents(int section) const {
  QSize size = QHeaderView::sectionSizeFromContents(section);
  size.setHeight(std::max(26, fontMetrics().height() * 17 / 10));
  return size;
}

}  // namespace heapscape::gui
