// SPDX-License-Identifier: MIT
#include "widgets/arranging/flow_layout.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace heapscape::gui {

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

}  // namespace heapscape::gui
