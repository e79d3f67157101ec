// SPDX-License-Identifier: MIT
#pragma once

#include <QMargins>
#include <QRect>
#include <QString>
#include <QStyleOptionViewItem>

class QPainter;

namespace heapscape::gui {

/// Between a cell's edge and its text.
inline constexpr int kItemMargin = 8;

/// Size of an item whose text alone has this size.
inline QSize withItemMargins(QSize size) {
  return size.grownBy({kItemMargin, 0, kItemMargin, 0});
}

/// Draws everything of an item but its text (selection, icon, focus) and gives the room that the text has.
QRect paintItemWithoutText(QPainter* painter, QStyleOptionViewItem item);

QColor itemTextColour(const QStyleOptionViewItem& item);
QColor dimmedItemTextColour(const QStyleOptionViewItem& item);
bool isSelected(const QStyleOptionViewItem& item);

/// In the pen that is set. A figure that is not seen whole, for want of room in its column or because the list ends
/// before it, is not there: a part of it would be read as another one.
void paintFigure(QPainter* painter, const QStyleOptionViewItem& item, const QRect& area, const QString& figure);

}  // namespace heapscape::gui
