// SPDX-License-Identifier: MIT
#include "widgets/arranging/item_layout.h"

namespace heapscape::gui {

ItemLayout::ItemLayout(QWidget* parent, int spacing) : QLayout(parent) {
  setContentsMargins(0, 0, 0, 0);
  setSpacing(spacing);
}

ItemLayout::~ItemLayout() = default;

void ItemLayout::addItem(QLayoutItem* item) {
  m_items.emplace_back(item);
  invalidate();
}

QLayoutItem* ItemLayout::itemAt(int index) const {
  return index >= 0 && index < count() ? m_items[static_cast<std::size_t>(index)].get() : nullptr;
}

QLayoutItem* ItemLayout::takeAt(int index) {
  if (index < 0 || index >= count()) return nullptr;
  QLayoutItem* item = m_items[static_cast<std::size_t>(index)].release();
  m_items.erase(m_items.begin() + index);
  return item;
}

}  // namespace heapscape::gui
