// SPDX-License-Identifier: MIT
#pragma once

#include <QRectF>
#include <QString>
#include <QStringList>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "widgets/legend_chip.h"

namespace heapscape::gui {

/// A share of the whole, divided into shares of its own or not.
struct TreemapPart {
  QString name;
  std::uint64_t bytes = 0;
  std::function<ChipSample(const Colours&)> sample = {};  // of a part that is not divided
  QStringList facts = {};                                 // for the bubble, below the bytes
  std::vector<TreemapPart> parts = {};
};

/// A group of a treemap, or a part of it.
struct TreemapSpot {
  static constexpr std::size_t kWhole = SIZE_MAX;
  std::size_t group = 0;
  std::size_t part = kWhole;  // of the group; kWhole for all of it
  bool isGroup() const { return part == kWhole; }
  bool operator==(const TreemapSpot&) const = default;
};

/// Where a spot is drawn.
struct TreemapTile {
  TreemapSpot spot;
  QRectF rect;
  QRectF heading = {};  // of a group whose name has room above its parts; else empty
};

/// Groups side by side in the proportion of their bytes, and in each of them its parts below its heading; with `zoomed`
/// the parts of that group alone, over the whole area. A group comes before its parts. What has no bytes has no tile.
std::vector<TreemapTile> treemapTiles(const std::vector<TreemapPart>& groups, std::optional<std::size_t> zoomed,
                                      const QRectF& area, double headingHeight);

/// The tile at a point: of those on each other the smallest; null if there is none.
const TreemapTile* treemapTileAt(const std::vector<TreemapTile>& tiles, QPointF point);

/// Among the tiles that hold no others, the nearest one in a direction (one of the four arrow keys); null if there is
/// none there.
const TreemapTile* treemapNeighbour(const std::vector<TreemapTile>& tiles, const TreemapTile& from, int key);

}  // namespace heapscape::gui
