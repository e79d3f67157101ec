// SPDX-License-Identifier: MIT
#pragma once

#include <QFontMetrics>
#include <QMargins>
#include <QString>
#include <QStyleOptionViewItem>

class QPainter;

namespace heapscape::gui {

/// Between a cell's edge and its text.
inline constexpr int kItemMargin = 8;

/// What an item takes up whose text alone takes up that much.
inline QSize withItemMargins(QSize size) {
  return size.grownBy({kItemMargin, 0, kItemMargin, 0});
}

/// Draws everything of an item but its text (selection, icon, focus) and gives the room that the text has.
QRect paintItemWithoutText(QPainter* painter, QStyleOptionViewItem item);

QColor itemTextColour(const QStyleOptionViewItem& item);
QColor dimmedItemTextColour(const QStyleOptionViewItem& item);
bool isSelected(const QStyleOptionViewItem& item);

/// A figure that there is no room for is not there: a part of it would be read as another one.
QString figureThatFits(const QString& figure, int width, const QFontMetrics& metrics);

}  // namespace heapscape::gui
