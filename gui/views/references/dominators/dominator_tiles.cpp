// SPDX-License-Identifier: MIT
#include "views/references/dominators/dominator_tiles.h"

#include <algorithm>

#include "review/treemap.h"

namespace heapscape::gui {

namespace {

constexpr double kTileInset = 2;      // around the parts of a tile
constexpr double kLeastTile = 2;      // smaller ones are left out
constexpr double kLeastDivided = 14;  // smaller ones are not divided
constexpr double kHeadingWidths = 3;  // of its height, that a heading has room in at least
constexpr double kHeadingHeights = 2.2;

/// Children of each shape, which stand side by side in the list.
struct Family {
  std::uint32_t first = 0, count = 0;
};

std::vector<Family> familiesOf(const std::vector<engine::DominatorShape>& shapes) {
  std::vector<Family> families(shapes.size());
  for (std::uint32_t i = 1; i < shapes.size(); ++i) {
    Family& family = families[shapes[i].parent];
    if (family.count++ == 0) family.first = i;
  }
  return families;
}

QRectF roomFor(DominatorTile& tile, double headingHeight) {
  QRectF room = tile.rect.adjusted(kTileInset, kTileInset, -kTileInset, -kTileInset);
  const bool hasHeading =
      tile.rect.width() >= kHeadingWidths * headingHeight && tile.rect.height() >= kHeadingHeights * headingHeight;
  if (!hasHeading) return room;
  tile.heading = QRectF(tile.rect.left(), tile.rect.top(), tile.rect.width(), headingHeight);
  room.setTop(tile.heading.bottom());
  return room;
}

}  // namespace

std::vector<DominatorTile> dominatorTiles(const std::vector<engine::DominatorShape>& shapes, QSizeF size,
                                          double headingHeight) {
  std::vector<DominatorTile> tiles;
  if (shapes.empty() || shapes[0].node.retainedBytes == 0 || size.width() < 1 || size.height() < 1) return tiles;
  const std::vector<Family> families = familiesOf(shapes);
  tiles.reserve(shapes.size());
  tiles.push_back({.shape = 0, .rect = QRectF(QPointF(), size)});
  std::vector<double> weights;
  for (std::size_t next = 0; next < tiles.size(); ++next) {
    DominatorTile& tile = tiles[next];
    const Family family = families[tile.shape];
    if (family.count == 0 || std::min(tile.rect.width(), tile.rect.height()) < kLeastDivided) continue;
    tile.isDivided = true;
    const QRectF room = roomFor(tile, headingHeight);
    auto own = static_cast<double>(shapes[tile.shape].node.retainedBytes);
    weights.clear();
    for (std::uint32_t i = 0; i < family.count; ++i) {
      weights.push_back(static_cast<double>(shapes[family.first + i].node.retainedBytes));
      own -= weights.back();
    }
    weights.push_back(std::max(0.0, own));
    const auto rects = engine::squarify(weights, {room.x(), room.y(), room.width(), room.height()});
    for (std::uint32_t i = 0; i < family.count; ++i) {
      const engine::TreemapRect& rect = rects[i];
      if (rect.width < kLeastTile || rect.height < kLeastTile) continue;
      tiles.push_back({.shape = family.first + i, .rect = QRectF(rect.x, rect.y, rect.width, rect.height)});
    }
  }
  return tiles;
}

}  // namespace heapscape::gui
