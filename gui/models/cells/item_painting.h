// SPDX-License-Identifier: MIT
#pragma once

#include <QStyleOptionViewItem>

class QPainter;

namespace heapscape::gui {

/// Between a cell's edge and its text.
inline constexpr int kItemMargin = 8;

/// Draws everything of an item but its text (selection, icon, focus) and gives the room that the text has.
QRect paintItemWithoutText(QPainter* painter, QStyleOptionViewItem item);

QColor itemTextColour(const QStyleOptionViewItem& item);
QColor dimmedItemTextColour(const QStyleOptionViewItem& item);
bool isSelected(const QStyleOptionViewItem& item);

}  // namespace heapscape::gui
