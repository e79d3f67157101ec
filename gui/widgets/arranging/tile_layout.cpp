// SPDX-License-Identifier: MIT
#include "widgets/arranging/tile_layout.h"

#include <algorithm>

namespace heapscape::gui {

namespace {

constexpr int kBetweenRows = 8;

}  // namespace

TileLayout::TileLayout(int spacing) : ItemLayout(nullptr, spacing) {}

int TileLayout::leastWidth() const {
  int width = 0;
  for (const auto& item : items()) width = std::max(width, item->minimumSize().width());
  return width;
}

int TileLayout::columns(int width) const {
  const int most = std::clamp((width + spacing()) / std::max(1, leastWidth() + spacing()), 1, std::max(1, count()));
  // No row is much shorter than the others: four are two and two rather than three and one.
  const int rows = (count() + most - 1) / most;
  return rows == 0 ? 1 : (count() + rows - 1) / rows;
}

int TileLayout::widthOf(int columns, int width) const {
  return (width - (columns - 1) * spacing()) / columns;
}

int TileLayout::rowHeight(int first, int columns, int width) const {
  int height = 0;
  for (int index = first; index < std::min(first + columns, count()); ++index) {
    const QLayoutItem& item = *items()[static_cast<std::size_t>(index)];
    height = std::max(height, item.hasHeightForWidth() ? item.heightForWidth(width) : item.minimumSize().height());
  }
  return height;
}

int TileLayout::heightForWidth(int width) const {
  const int inRow = columns(width);
  int height = 0;
  for (int first = 0; first < count(); first += inRow)
    height += rowHeight(first, inRow, widthOf(inRow, width)) + (first > 0 ? kBetweenRows : 0);
  return height;
}

QSize TileLayout::minimumSize() const {
  return {leastWidth(), rowHeight(0, count(), leastWidth())};
}

QSize TileLayout::sizeHint() const {
  return {count() * (leastWidth() + spacing()) - spacing(), rowHeight(0, count(), leastWidth())};
}

void TileLayout::setGeometry(const QRect& rect) {
  QLayout::setGeometry(rect);
  const int inRow = columns(rect.width());
  const int width = widthOf(inRow, rect.width());
  int top = rect.top();
  for (int first = 0; first < count(); first += inRow) {
    const int height = rowHeight(first, inRow, width);
    for (int index = first; index < std::min(first + inRow, count()); ++index) {
      const QPoint corner(rect.left() + (index - first) * (width + spacing()), top);
      items()[static_cast<std::size_t>(index)]->setGeometry(QRect(corner, QSize(width, height)));
    }
    top += height + kBetweenRows;
  }
}

}  // namespace heapscape::gui
