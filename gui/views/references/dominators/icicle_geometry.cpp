// SPDX-License-Identifier: MIT
#include "views/references/dominators/icicle_geometry.h"

namespace heapscape::gui {

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
