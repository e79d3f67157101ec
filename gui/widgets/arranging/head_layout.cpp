// SPDX-License-Identifier: MIT
#include "widgets/arranging/head_layout.h"

#include <algorithm>

namespace heapscape::gui {

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

}  // namespace heapscape::gui
