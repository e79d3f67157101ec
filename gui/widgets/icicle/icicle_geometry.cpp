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
  const auto rows = static_cast<std::uint32_t>(size.height() / rowHeight);
  for (const IcicleSpan& span : spans) {
    if (span.depth >= rows) continue;
    const double left = x(span.first);
    const double right = x(span.first + span.size);
    if (right - left < 1) continue;
    const bool isCut = span.depth + 1 == rows && span.isDivided;
    boxes.push_back({span.shape, QRectF(left, span.depth * rowHeight, right - left, rowHeight), isCut});
  }
  return boxes;
}

}  // namespace heapscape::gui
