// SPDX-License-Identifier: MIT
#include "views/references/dominators/dominator_treemap.h"

#include <QPainter>
#include <algorithm>

#include "review/treemap.h"
#include "views/references/dominators/dominator_text.h"
#include "widgets/drawing/colours.h"
#include "widgets/drawing/marks.h"
#include "widgets/text/figures.h"

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

namespace {

constexpr std::uint32_t kDominatorTreemapNone = 0xffffffff;
constexpr double kTileMargin = 5;
constexpr double kGroundShare = 0.35;  // of its colour behind what a tile is divided into
constexpr double kLeastGap = 4;        // narrower tiles have no line between them
constexpr qsizetype kFewestTileLetters = 4;

}  // namespace

DominatorTreemap::DominatorTreemap(QWidget* parent) : DominatorPicture(u"Dominators as a treemap"_s, parent) {
  setObjectName(u"dominatorTreemap"_s);
}

void DominatorTreemap::place() {
  m_tiles = dominatorTiles(shapes(), size(), fontMetrics().height() * 1.4);
  m_tileByShape.assign(shapes().size(), kDominatorTreemapNone);
  for (std::uint32_t i = 0; i < m_tiles.size(); ++i) m_tileByShape[m_tiles[i].shape] = i;
}

const DominatorTile* DominatorTreemap::tileOf(std::uint32_t shape) const {
  if (shape >= m_tileByShape.size() || m_tileByShape[shape] == kDominatorTreemapNone) return nullptr;
  return &m_tiles[m_tileByShape[shape]];
}

std::optional<std::uint32_t> DominatorTreemap::shapeAt(QPointF point) const {
  // The innermost one comes last.
  const auto found = std::find_if(m_tiles.rbegin(), m_tiles.rend(),
                                  [point](const DominatorTile& tile) { return tile.rect.contains(point); });
  return found == m_tiles.rend() ? std::nullopt : std::optional(found->shape);
}

QPainterPath DominatorTreemap::outlineOf(std::uint32_t shape) const {
  QPainterPath path;
  if (const DominatorTile* tile = tileOf(shape)) path.addRect(tile->rect.adjusted(0.5, 0.5, -0.5, -0.5));
  return path;
}

QPointF DominatorTreemap::pointIn(std::uint32_t shape) const {
  const DominatorTile* tile = tileOf(shape);
  if (!tile) return {};
  if (!tile->isDivided) return tile->rect.center();
  return tile->heading.isEmpty() ? tile->rect.topLeft() + QPointF(1, 1) : tile->heading.center();
}

void DominatorTreemap::paintShapes(QPainter& painter, const Colours& colours) const {
  for (const DominatorTile& tile : m_tiles) paintTile(painter, colours, tile);
}

void DominatorTreemap::paintTile(QPainter& painter, const Colours& colours, const DominatorTile& tile) const {
  const engine::DominatorShape& shape = shapes()[tile.shape];
  const bool hasGap = std::min(tile.rect.width(), tile.rect.height()) >= kLeastGap;
  const QRectF inner = hasGap ? tile.rect.adjusted(0, 0, -1, -1) : tile.rect;
  QBrush fill = fillOf(tile.shape, colours);
  if (tile.isDivided) fill = mixed(fill.color(), colours.surface(), kGroundShare);
  const QColor text = tile.isDivided ? palette().color(QPalette::Text) : textOn(tile.shape, colours);
  painter.fillRect(inner, fill);
  // Where it is divided there is no other room for it.
  const QRectF freed = tile.isDivided && !tile.heading.isEmpty() ? tile.heading : inner;
  paintFreed(painter, colours, tile.shape, freed);
  if (isRoot(tile.shape)) paintSeam(painter, inner, rootSeamColour(text, fill.color(), colours));
  const QFontMetricsF metrics(painter.font());
  QRectF room = tile.isDivided ? tile.heading : inner;
  const double belowSeam = isRoot(tile.shape) ? kSeamInset + kSeamWidth : 0;
  room.adjust(kTileMargin, belowSeam, -kTileMargin, -freedHeight(tile.shape, freed));
  if (room.height() < metrics.height() || room.width() < kFewestTileLetters * metrics.averageCharWidth()) return;
  painter.setPen(text);
  const QColor plate = shape.isRest ? colours.freeSpace() : QColor();
  const QString bytes = bytesText(shape.node.retainedBytes);
  const QString name = dominatorLabel(shape);
  const double figure = metrics.horizontalAdvance(bytes) + 2 * kTileMargin;
  if (tile.isDivided) {
    if (room.width() > metrics.horizontalAdvance(name) + figure) {
      painter.drawText(room, Qt::AlignRight | Qt::AlignVCenter, bytes);
      room.setRight(room.right() - figure);
    }
  } else if (room.height() >= 2 * metrics.lineSpacing() + kTileMargin && room.width() > figure) {
    paintOnPlate(painter, room.adjusted(0, kTileMargin / 2 + metrics.lineSpacing(), 0, 0), Qt::AlignLeft | Qt::AlignTop,
                 bytes, plate);
  }
  const QString shown = metrics.elidedText(name, Qt::ElideRight, room.width());
  if (shown.size() < kFewestTileLetters && shown != name) return;
  const auto place = tile.isDivided ? Qt::AlignVCenter : Qt::AlignTop;
  paintOnPlate(painter, tile.isDivided ? room : room.adjusted(0, kTileMargin / 2, 0, 0), Qt::AlignLeft | place, shown,
               plate);
}

}  // namespace heapscape::gui
