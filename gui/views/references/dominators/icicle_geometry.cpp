// SPDX-License-Identifier: MIT
#include "views/references/dominators/icicle_geometry.h"

#include <algorithm>

namespace heapscape::gui {

double icicleRowHeight(const std::vector<engine::DominatorShape>& shapes, QSizeF size, double least) {
  std::uint32_t levels = 1;
  const double whole = shapes.empty() ? 0 : static_cast<double>(shapes[0].node.retainedBytes);
  for (const engine::DominatorShape& shape : shapes) {
    if (static_cast<double>(shape.node.retainedBytes) * size.width() >= whole)
      levels = std::max(levels, shape.depth + 1);
  }
  return std::max(least, size.height() / levels);
}

std::vector<IcicleBox> icicleBoxes(const std::vector<engine::DominatorShape>& shapes, QSizeF size, double rowHeight) {
  if (shapes.empty()) return {};
  std::vector<IcicleSpan> spans;
  spans.reserve(shapes.size());
  for (std::uint32_t i = 0; i < shapes.size(); ++i) {
    const engine::DominatorShape& shape = shapes[i];
    spans.push_back({.shape = i,
                     .first = shape.firstByte,
                     .size = shape.node.retainedBytes,
                     .depth = shape.depth,
                     .isDivided = !shape.isRest && shape.node.children > 0});
  }
  return icicleBoxes(spans, shapes[0].node.retainedBytes, size, rowHeight);
}

}  // namespace heapscape::gui
