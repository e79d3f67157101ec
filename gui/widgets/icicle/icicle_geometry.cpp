// SPDX-License-Identifier: MIT
#include "widgets/icicle/icicle_geometry.h"

#include <cmath>

namespace heapscape::gui {

std::vector<IcicleBox> icicleBoxes(const std::vector<IcicleSpan>& spans, std::uint64_t whole, QSizeF size,
                                   double rowHeight) {
  std::vector<IcicleBox> boxes;
  if (whole == 0 || size.width() < 1 || rowHeight < 1) return boxes;
  const auto x = [&](std::uint64_t at) {
    return std::round(static_cast<double>(at) / static_cast<double>(whole) * size.width());
  };
  constexpr double kRounding = 1e-6;  // rows that fill the height are none less
  const auto rows = static_cast<std::uint32_t>(size.height() / rowHeight + kRounding);
  for (const IcicleSpan& span : spans) {
    if (span.depth >= rows) continue;
    const double left = x(span.first);
    const double right = x(span.first + span.size);
    if (right - left < 1) continue;
    const bool isCut = span.depth + 1 == rows && span.isDivided;
    const double top = std::round(span.depth * rowHeight);
    const double bottom = std::round((span.depth + 1) * rowHeight);
    boxes.push_back({span.shape, QRectF(left, top, right - left, bottom - top), isCut});
  }
  return boxes;
}

}  // namespace heapscape::gui
