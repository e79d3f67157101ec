// SPDX-License-Identifier: MIT
#pragma once

#include <QRectF>
#include <QSizeF>
#include <cstdint>
#include <vector>

#include "session/dominators/dominators_query.h"

namespace heapscape::gui {

/// Where a shape of the dominator tree is drawn in a treemap.
struct DominatorTile {
  std::uint32_t shape = 0;  // index
  QRectF rect;
  QRectF heading = {};     // of a tile that is divided and has room for its name above its parts; else empty
  bool isDivided = false;  // what it dominates lies in it
};

/// The top over the whole area, and in each tile with room what it dominates, below its name: areas are in the
/// proportion of retained bytes. What is a tile's own stays blank. A tile comes before those in it.
std::vector<DominatorTile> dominatorTiles(const std::vector<engine::DominatorShape>& shapes, QSizeF size,
                                          double headingHeight);

}  // namespace heapscape::gui
