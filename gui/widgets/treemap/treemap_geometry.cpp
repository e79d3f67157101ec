// SPDX-License-Identifier: MIT
#include "widgets/treemap/treemap_geometry.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "review/treemap.h"

namespace heapscape::gui {

namespace {

constexpr double kGroupGap = 3;         // between groups; their parts are a line apart
constexpr double kHeadingsOfGroup = 3;  // a group has a heading if it is at least so many headings high
constexpr double kWidthOfHeading = 3;   // and at least so many wide

// The largest first, which gives the best shapes.
std::vector<std::size_t> bySize(const std::vector<TreemapPart>& parts) {
  std::vector<std::size_t> order(parts.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::ranges::greater{}, [&parts](std::size_t part) { return parts[part].bytes; });
  return order;
}

std::vector<QRectF> divide(const std::vector<TreemapPart>& parts, const std::vector<std::size_t>& order,
                           const QRectF& area) {
  std::vector<double> weights;
  weights.reserve(order.size());
  for (const std::size_t part : order) weights.push_back(static_cast<double>(parts[part].bytes));
  std::vector<QRectF> rects;
  rects.reserve(order.size());
  for (const engine::TreemapRect& rect : engine::squarify(weights, {area.x(), area.y(), area.width(), area.height()}))
    rects.emplace_back(rect.x, rect.y, rect.width, rect.height);
  return rects;
}

void addParts(std::vector<TreemapTile>& tiles, const std::vector<TreemapPart>& groups, std::size_t group,
              const QRectF& area) {
  const std::vector<TreemapPart>& parts = groups[group].parts;
  const std::vector<std::size_t> order = bySize(parts);
  const std::vector<QRectF> rects = divide(parts, order, area);
  for (std::size_t at = 0; at < order.size(); ++at) {
    if (parts[order[at]].bytes > 0) tiles.push_back({.spot = {group, order[at]}, .rect = rects[at]});
  }
}

// How far a tile lies off the way in a direction; nothing if it does not lie that way.
std::optional<double> distance(const QRectF& from, const QRectF& to, int key) {
  const bool isSideways = key == Qt::Key_Left || key == Qt::Key_Right;
  const double ahead = key == Qt::Key_Left    ? from.left() - to.right()
                       : key == Qt::Key_Right ? to.left() - from.right()
                       : key == Qt::Key_Up    ? from.top() - to.bottom()
                                              : to.top() - from.bottom();
  constexpr double kTouching = -0.5;
  if (ahead < kTouching) return std::nullopt;
  const double aside = isSideways ? std::abs(from.center().y() - std::clamp(from.center().y(), to.top(), to.bottom()))
                                  : std::abs(from.center().x() - std::clamp(from.center().x(), to.left(), to.right()));
  return std::max(0.0, ahead) + 2 * aside;
}

}  // namespace

std::vector<TreemapTile> treemapTiles(const std::vector<TreemapPart>& groups, std::optional<std::size_t> zoomed,
                                      const QRectF& area, double headingHeight) {
  std::vector<TreemapTile> tiles;
  if (area.isEmpty()) return tiles;
  if (zoomed && *zoomed < groups.size()) {
    addParts(tiles, groups, *zoomed, area);
    return tiles;
  }
  const std::vector<std::size_t> order = bySize(groups);
  const std::vector<QRectF> rects = divide(groups, order, area);
  for (std::size_t at = 0; at < order.size(); ++at) {
    const std::size_t group = order[at];
    if (groups[group].bytes == 0) continue;
    QRectF rect = rects[at];
    if (rect.width() > 2 * kGroupGap && rect.height() > 2 * kGroupGap) rect.adjust(0, 0, -kGroupGap, -kGroupGap);
    TreemapTile tile{.spot = {.group = group}, .rect = rect};
    if (rect.height() >= kHeadingsOfGroup * headingHeight && rect.width() >= kWidthOfHeading * headingHeight)
      tile.heading = QRectF(rect.left(), rect.top(), rect.width(), headingHeight);
    tiles.push_back(tile);
    addParts(tiles, groups, group, rect.adjusted(0, tile.heading.height(), 0, 0));
  }
  return tiles;
}

const TreemapTile* treemapTileAt(const std::vector<TreemapTile>& tiles, QPointF point) {
  const auto holds = [point](const TreemapTile& tile) {
    const QRectF& rect = tile.rect;
    return point.x() >= rect.left() && point.x() < rect.right() && point.y() >= rect.top() && point.y() < rect.bottom();
  };
  // Parts follow their group.
  const auto found = std::find_if(tiles.rbegin(), tiles.rend(), holds);
  return found == tiles.rend() ? nullptr : &*found;
}

const TreemapTile* treemapNeighbour(const std::vector<TreemapTile>& tiles, const TreemapTile& from, int key) {
  const TreemapTile* nearest = nullptr;
  double least = std::numeric_limits<double>::max();
  for (std::size_t at = 0; at < tiles.size(); ++at) {
    const TreemapTile& tile = tiles[at];
    const bool isDivided = tile.spot.isGroup() && at + 1 < tiles.size() && tiles[at + 1].spot.group == tile.spot.group;
    if (isDivided || tile.spot == from.spot) continue;
    const std::optional<double> off = distance(from.rect, tile.rect, key);
    if (off && *off < least) {
      least = *off;
      nearest = &tile;
    }
  }
  return nearest;
}

}  // namespace heapscape::gui
