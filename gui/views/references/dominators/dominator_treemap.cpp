// SPDX-License-Identifier: MIT
#include "views/references/dominators/dominator_treemap.h"

#include <QPainter>
#include <algorithm>

#include "views/references/dominators/dominator_colours.h"
#include "views/references/dominators/dominator_text.h"
#include "widgets/drawing/colours.h"
#include "widgets/drawing/marks.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {

namespace {

constexpr std::uint32_t kDominatorTreemapNone = 0xffffffff;
constexpr double kTileMargin = 5;
constexpr double kGroundShare = 0.35;  // of its colour behind what a tile is divided into
constexpr double kLeastGap = 4;        // narrower tiles have no line between them
constexpr qsizetype kFewestTileLetters = 4;

}  // namespace

DominatorTreemap::DominatorTreemap(QWidget* parent)
    : DominatorPicture(QStringLiteral("Dominators as a treemap"), parent) {
  setObjectName(QStringLiteral("dominatorTreemap"));
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
