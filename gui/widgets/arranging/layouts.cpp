// SPDX-License-Identifier: MIT
#include "widgets/arranging/layouts.h"

#include <algorithm>
#include <utility>

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

namespace {

// Lines lie closer than what is beside each other: their items have room of their own above and below.
constexpr int kMostBetweenLines = 4;

}  // namespace

FlowLayout::FlowLayout(QWidget* parent, int spacing) : ItemLayout(parent, spacing) {}

int FlowLayout::heightForWidth(int width) const {
  return arrange(QRect(0, 0, width, 0), false);
}

QSize FlowLayout::minimumSize() const {
  QSize size;
  for (const auto& item : items()) size = size.expandedTo(item->minimumSize());
  const QMargins margins = contentsMargins();
  return size.grownBy(margins);
}

QSize FlowLayout::sizeHint() const {
  QSize size(0, 0);
  for (const auto& item : items()) {
    if (item->isEmpty() && !item->spacerItem()) continue;
    const QSize hint = item->sizeHint();
    size =
        QSize(size.width() + hint.width() + (size.width() > 0 ? spacing() : 0), std::max(size.height(), hint.height()));
  }
  return size.grownBy(contentsMargins());
}

void FlowLayout::setGeometry(const QRect& rect) {
  QLayout::setGeometry(rect);
  arrange(rect, true);
}

int FlowLayout::arrange(const QRect& rect, bool moves) const {
  const QRect inside = rect.marginsRemoved(contentsMargins());
  int x = inside.left();
  int y = inside.top();
  int lineHeight = 0;
  int gap = 0;                                     // before the next one
  std::vector<std::pair<QLayoutItem*, int>> line;  // with their left edges
  // A line is placed once it is full, so that its items are centred on it.
  const auto placeLine = [&] {
    for (const auto& [item, left] : line) {
      const QSize hint = item->sizeHint();
      if (moves) item->setGeometry(QRect(QPoint(left, y + (lineHeight - hint.height()) / 2), hint));
    }
    line.clear();
  };
  for (const auto& item : items()) {
    if (const QSpacerItem* spacer = item->spacerItem()) gap = std::max(gap, spacer->sizeHint().width() + spacing());
    if (item->isEmpty()) continue;
    const QSize hint = item->sizeHint();
    x += line.empty() ? 0 : std::exchange(gap, 0);
    if (!line.empty() && x + hint.width() > inside.right() + 1) {
      placeLine();
      x = inside.left();
      y += lineHeight + std::min(spacing(), kMostBetweenLines);
      lineHeight = 0;
    }
    gap = 0;
    line.emplace_back(item.get(), x);
    x += hint.width() + spacing();
    lineHeight = std::max(lineHeight, hint.height());
  }
  placeLine();
  return y + lineHeight - rect.top() + contentsMargins().bottom();
}

namespace {

constexpr std::size_t kEnd = 2;  // of the items from which on they end the line
constexpr int kBetweenHeadLines = 6;

// Hidden, or with nothing in it.
bool isAbsent(const QLayoutItem& item) {
  return item.isEmpty() || item.sizeHint().width() <= 0;
}

int wantedWidth(const QLayoutItem& item) {
  return std::max(item.sizeHint().width(), item.minimumSize().width());
}

}  // namespace

HeadLayout::HeadLayout(QWidget* parent, int spacing) : ItemLayout(parent, spacing) {}

int HeadLayout::endWidth() const {
  int width = 0;
  for (std::size_t index = kEnd; index < items().size(); ++index) {
    if (!isAbsent(*items()[index])) width += spacing() + items()[index]->sizeHint().width();
  }
  return width;
}

int HeadLayout::heightForWidth(int width) const {
  return arrange(QRect(0, 0, width, 0), false);
}

QSize HeadLayout::minimumSize() const {
  if (items().size() < kEnd) return {};
  const QSize lead = isAbsent(*items()[0]) ? QSize() : items()[0]->minimumSize();
  const QSize middle = isAbsent(*items()[1]) ? QSize() : items()[1]->minimumSize();
  int height = lead.height();
  for (std::size_t index = kEnd; index < items().size(); ++index)
    if (!isAbsent(*items()[index])) height = std::max(height, items()[index]->sizeHint().height());
  return QSize(std::max(lead.width() + endWidth(), middle.width()), height).grownBy(contentsMargins());
}

QSize HeadLayout::sizeHint() const {
  if (items().size() < kEnd) return {};
  int width = endWidth();
  int height = 0;
  for (const auto& item : items())
    if (!isAbsent(*item)) height = std::max(height, item->sizeHint().height());
  for (std::size_t index = 0; index < kEnd; ++index)
    if (!isAbsent(*items()[index])) width += wantedWidth(*items()[index]) + (index > 0 ? spacing() : 0);
  return QSize(width, height).grownBy(contentsMargins());
}

void HeadLayout::setGeometry(const QRect& rect) {
  QLayout::setGeometry(rect);
  arrange(rect, true);
}

int HeadLayout::arrange(const QRect& rect, bool moves) const {
  if (items().size() < kEnd) return 0;
  const QRect inside = rect.marginsRemoved(contentsMargins());
  QLayoutItem& lead = *items()[0];
  QLayoutItem& middle = *items()[1];
  const int leadWidth = isAbsent(lead) ? 0 : wantedWidth(lead);
  const int middleWidth = isAbsent(middle) ? 0 : middle.sizeHint().width();
  const int between = leadWidth > 0 && middleWidth > 0 ? spacing() : 0;
  const bool isOneLine = leadWidth + between + middleWidth + endWidth() <= inside.width();

  int lineHeight = isAbsent(lead) ? 0 : lead.sizeHint().height();
  if (isOneLine && middleWidth > 0) lineHeight = std::max(lineHeight, middle.sizeHint().height());
  for (std::size_t index = kEnd; index < items().size(); ++index)
    if (!isAbsent(*items()[index])) lineHeight = std::max(lineHeight, items()[index]->sizeHint().height());
  const auto place = [&](QLayoutItem& item, int left, int width) {
    const int height = item.sizeHint().height();
    if (moves) item.setGeometry(QRect(left, inside.top() + (lineHeight - height) / 2, width, height));
  };

  const int room = inside.width() - endWidth() - (isOneLine ? between + middleWidth : 0);
  const int given = leadWidth == 0 ? 0 : std::clamp(room, lead.minimumSize().width(), lead.maximumSize().width());
  if (leadWidth > 0) place(lead, inside.left(), given);
  int right = inside.right() + 1;
  for (std::size_t index = items().size(); index-- > kEnd;) {
    if (isAbsent(*items()[index])) continue;
    const int width = items()[index]->sizeHint().width();
    place(*items()[index], right - width, width);
    right -= width + spacing();
  }
  int bottom = inside.top() + lineHeight;
  if (middleWidth > 0 && isOneLine) {
    place(middle, inside.left() + given + between, middleWidth);
  } else if (middleWidth > 0) {
    const int top = bottom + (lineHeight > 0 ? kBetweenHeadLines : 0);
    const int height = middle.hasHeightForWidth() ? middle.heightForWidth(inside.width()) : middle.sizeHint().height();
    if (moves) middle.setGeometry(QRect(inside.left(), top, inside.width(), height));
    bottom = top + height;
  }
  return bottom - rect.top() + contentsMargins().bottom();
}

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
