// SPDX-License-Identifier: MIT
#pragma once

#include <QRectF>
#include <QSizeF>
#include <cstdint>
#include <vector>

#include "session/dominators/dominators_query.h"
#include "views/references/dominators/dominator_picture.h"

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

/// The dominator tree as areas within each other: area is retained size.
class DominatorTreemap : public DominatorPicture {
  Q_OBJECT

 public:
  explicit DominatorTreemap(QWidget* parent = nullptr);

  std::optional<std::uint32_t> shapeAt(QPointF point) const override;
  QPainterPath outlineOf(std::uint32_t shape) const override;
  QPointF pointIn(std::uint32_t shape) const override;
  const std::vector<DominatorTile>& tiles() const { return m_tiles; }

 protected:
  void place() override;
  void paintShapes(QPainter& painter, const Colours& colours) const override;

 private:
  const DominatorTile* tileOf(std::uint32_t shape) const;
  void paintTile(QPainter& painter, const Colours& colours, const DominatorTile& tile) const;

  std::vector<DominatorTile> m_tiles;
  std::vector<std::uint32_t> m_tileByShape;  // index in m_tiles; none if it is not drawn
};

}  // namespace heapscape::gui
