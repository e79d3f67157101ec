// SPDX-License-Identifier: MIT
#include "widgets/tile_layout.h"

#include <algorithm>

namespace heapscape::gui {

namespace {

constexpr int kBetweenRows = 8;

}  // namespace

TileLayout::TileLayout(int spacing) {
  setContentsMargins(0, 0, 0, 0);
  setSpacing(spacing);
}

TileLayout::~TileLayout() = default;

void TileLayout::addItem(QLayoutItem* item) {
  m_items.emplace_back(item);
}

QLayoutItem* TileLayout::itemAt(int index) const {
  return index >= 0 && index < count() ? m_items[static_cast<std::size_t>(index)].get() : nullptr;
}

QLayoutItem* TileLayout::takeAt(int index) {
  if (index < 0 || index >= count()) return nullptr;
  QLayoutItem* item = m_items[static_cast<std::size_t>(index)].release();
  m_items.erase(m_items.begin() + index);
  return item;
}

QSize TileLayout::tile() const {
  QSize size;
  for (const auto& item : m_items) size = size.expandedTo(item->minimumSize());
  return size;
}

int TileLayout::columns(int width) const {
  const int most = std::clamp((width + spacing()) / std::max(1, tile().width() + spacing()), 1, std::max(1, count()));
  // No row is much shorter than the others: four are two and two rather than three and one.
  const int rows = (count() + most - 1) / most;
  return rows == 0 ? 1 : (count() + rows - 1) / rows;
}

int TileLayout::heightForWidth(int width) const {
  const int rows = (count() + columns(width) - 1) / columns(width);
  return rows * (tile().height() + kBetweenRows) - kBetweenRows;
}

QSize TileLayout::minimumSize() const {
  return tile();
}

QSize TileLayout::sizeHint() const {
  return {count() * (tile().width() + spacing()) - spacing(), tile().height()};
}

void TileLayout::setGeometry(const QRect& rect) {
  QLayout::setGeometry(rect);
  const int inRow = columns(rect.width());
  const int width = (rect.width() - (inRow - 1) * spacing()) / inRow;
  for (int index = 0; index < count(); ++index) {
    const QPoint corner(index % inRow * (width + spacing()), index / inRow * (tile().height() + kBetweenRows));
    m_items[static_cast<std::size_t>(index)]->setGeometry(
        QRect(rect.topLeft() + corner, QSize(width, tile().height())));
  }
}

}  // namespace heapscape::gui
