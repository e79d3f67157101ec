// SPDX-License-Identifier: MIT
#include "models/cells/item_painting.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QPainter>
#include <QStyle>
#include <algorithm>

#include "widgets/drawing/colours.h"
#include "widgets/text/shaped_text.h"

namespace heapscape::gui {
namespace {

QPalette::ColorGroup groupOf(const QStyleOptionViewItem& item) {
  if (!(item.state & QStyle::State_Enabled)) return QPalette::Disabled;
  return item.state & QStyle::State_Active ? QPalette::Active : QPalette::Inactive;
}

}  // namespace

QRect paintItemWithoutText(QPainter* painter, QStyleOptionViewItem item) {
  item.text.clear();
  const QStyle* style = item.widget ? item.widget->style() : QApplication::style();
  style->drawControl(QStyle::CE_ItemViewItem, &item, painter, item.widget);
  item.features |= QStyleOptionViewItem::HasDisplay;
  return style->subElementRect(QStyle::SE_ItemViewItemText, &item, item.widget)
      .adjusted(kItemMargin, 0, -kItemMargin, 0);
}

bool isSelected(const QStyleOptionViewItem& item) {
  return item.state & QStyle::State_Selected;
}

QColor itemTextColour(const QStyleOptionViewItem& item) {
  return item.palette.color(groupOf(item), isSelected(item) ? QPalette::HighlightedText : QPalette::Text);
}

QColor dimmedItemTextColour(const QStyleOptionViewItem& item) {
  const bool isEnabled = item.state & QStyle::State_Enabled;
  if (isEnabled && !isSelected(item)) return Colours(item.palette).dimmedText();
  QColor colour = itemTextColour(item);
  colour.setAlphaF(0.75f);
  return colour;
}

void paintFigure(QPainter* painter, const QStyleOptionViewItem& item, const QRect& area, const QString& figure) {
  QRect seen = area;
  if (const auto* view = qobject_cast<const QAbstractItemView*>(item.widget)) {
    seen.setLeft(std::max(area.left(), 0));
    seen.setRight(std::min(area.right(), view->viewport()->width() - 1));
  }
  const ShapedText& shaped = shapedText(item.font, figure);
  const QSize size(shaped.width(), area.height());
  const QRect written = QStyle::alignedRect(Qt::LeftToRight, item.displayAlignment, size, area);
  const bool isWhole = written.left() >= seen.left() && written.right() <= seen.right();
  if (isWhole)
    shaped.draw(painter, area, item.displayAlignment);
  else
    shapedText(item.font, QChar(0x2026)).draw(painter, seen, item.displayAlignment);
}

}  // namespace heapscape::gui
