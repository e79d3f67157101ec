// SPDX-License-Identifier: MIT
#include "widgets/drawing/seam.h"

#include <QColor>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

namespace heapscape::gui {

std::vector<SeamDash> seamDashes(double length) {
  constexpr double kShortest = 2;
  std::vector<SeamDash> dashes;
  if (length < kShortest) return dashes;
  const double count = std::max(1.0, std::floor((length + kSeamGap) / (kSeamDash + kSeamGap)));
  const double dash = (length - kSeamGap * (count - 1)) / count;
  for (int i = 0; i < static_cast<int>(count); ++i) dashes.push_back({i * (dash + kSeamGap), dash});
  return dashes;
}

std::vector<QRectF> seamAlong(const QRectF& part) {
  std::vector<QRectF> rects;
  if (part.height() < 2 * kSeamInset + kSeamWidth) return rects;
  for (const SeamDash& dash : seamDashes(part.width() - 2 * kSeamInset))
    rects.emplace_back(part.left() + kSeamInset + dash.start, part.top() + kSeamInset, dash.length, kSeamWidth);
  return rects;
}

void paintSeam(QPainter& painter, const QRectF& part, const QColor& colour) {
  QPainterPath path;
  for (const QRectF& dash : seamAlong(part)) path.addRect(dash);
  painter.fillPath(path, colour);
}

}  // namespace heapscape::gui
