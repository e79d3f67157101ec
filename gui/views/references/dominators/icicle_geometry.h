// SPDX-License-Identifier: MIT
#pragma once

#include <QRectF>
#include <QSizeF>
#include <cstdint>
#include <vector>

#include "session/dominators_query.h"

namespace heapscape::gui {

/// Where a shape of the dominator tree is drawn in an icicle.
struct IcicleBox {
  std::uint32_t shape = 0;  // index
  QRectF rect;
  bool isCut = false;  // it is divided further, but below the picture's end
};

/// The top above, its children below it side by side: as wide as what they retain, to whole pixels. Boxes never
/// overlap; what would be less than a pixel wide, or lie below the picture's end, is left out.
std::vector<IcicleBox> icicleBoxes(const std::vector<engine::DominatorShape>& shapes, QSizeF size, double rowHeight);

}  // namespace heapscape::gui
