// SPDX-License-Identifier: MIT
#include "views/segments/heap_strip.h"

#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "bridge/literals.h"
#include "widgets/drawing/colours.h"

namespace heapscape::gui {

std::vector<double> stripHeights(const std::vector<float>& density, int columns) {
  std::vector<double> heights;
  const std::size_t cells = density.size();
  if (cells == 0 || columns <= 0) return heights;
  const auto all = static_cast<std::size_t>(columns);
  for (std::size_t column = 0; column < all; ++column) {
    const std::size_t first = column * cells / all;
    const std::size_t last = std::max(first + 1, (column + 1) * cells / all);
    heights.push_back(*std::max_element(density.begin() + static_cast<std::ptrdiff_t>(first),
                                        density.begin() + static_cast<std::ptrdiff_t>(std::min(last, cells))));
  }
  return heights;
}

HeapStrip::HeapStrip(QWidget* parent) : QWidget(parent) {
  setObjectName(u"heapStrip"_s);
  setToolTip(u"The whole heap, segment behind segment: how dense they are. Click to go there."_s);
  setCursor(Qt::PointingHandCursor);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void HeapStrip::show(std::shared_ptr<const engine::MapHighlight> highlight) {
  m_highlight = std::move(highlight);
  update();
}

QSize HeapStrip::sizeHint() const {
  return {fontMetrics().averageCharWidth() * 40, std::max(24, fontMetrics().height() * 16 / 10)};
}

QSize HeapStrip::minimumSizeHint() const {
  return {fontMetrics().averageCharWidth() * 10, sizeHint().height()};
}

void HeapStrip::paintEvent(QPaintEvent*) {
  constexpr double kLeastHeight = 4;  // of what is there at all
  QPainter painter(this);
  const Colours colours(palette());
  const QRectF inner = QRectF(rect()).adjusted(0.5, 2.5, -0.5, -2.5);
  painter.fillRect(inner, colours.surface());
  if (m_highlight) {
    const std::vector<double> heights = stripHeights(m_highlight->density(), width());
    const QColor ink = palette().color(QPalette::Highlight);
    for (std::size_t column = 0; column < heights.size(); ++column) {
      if (heights[column] <= 0) continue;
      const double height = std::max(kLeastHeight, heights[column] * inner.height());
      painter.fillRect(QRectF(static_cast<double>(column), inner.bottom() - height, 1, height), ink);
    }
  }
  painter.setPen(QPen(colours.outline(), 1));
  painter.setBrush(Qt::NoBrush);
  painter.drawRect(inner);
}

void HeapStrip::mousePressEvent(QMouseEvent* event) {
  if (event->button() == Qt::LeftButton) Q_EMIT clicked(event->position().x() / std::max(1, width()));
}

}  // namespace heapscape::gui
