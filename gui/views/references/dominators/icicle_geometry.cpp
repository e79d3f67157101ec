// SPDX-License-Identifier: MIT
#include "views/references/dominators/icicle_geometry.h"

#include <cmath>

namespace heapscape::gui {

std::vector<IcicleBox> icicleBoxes(const std::vector<engine::DominatorShape>& shapes, QSizeF size, double rowHeight) {
  std::vector<IcicleBox> boxes;
  if (shapes.empty() || shapes[0].node.retainedBytes == 0 || size.width() < 1 || rowHeight < 1) return boxes;
  const auto whole = static_cast<double>(shapes[0].node.retainedBytes);
  const auto x = [&](std::uint64_t byte) { return std::round(static_cast<double>(byte) / whole * size.width()); };
  const auto rows = static_cast<std::uint32_t>(size.height() / rowHeight);
  for (std::uint32_t i = 0; i < shapes.size(); ++i) {
    const engine::DominatorShape& shape = shapes[i];
    if (shape.depth >= rows) continue;
    const double left = x(shape.firstByte);
    const double right = x(shape.firstByte + shape.node.retainedBytes);
    if (right - left < 1) continue;
    const bool isCut = shape.depth + 1 == rows && !shape.isRest && shape.node.children > 0;
    boxes.push_back({i, QRectF(left, shape.depth * rowHeight, right - left, rowHeight), isCut});
  }
  return boxes;
}

}  // namespace heapscape::gui
