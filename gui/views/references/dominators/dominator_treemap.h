// SPDX-License-Identifier: MIT
#pragma once

#include "views/references/dominators/dominator_picture.h"
#include "views/references/dominators/dominator_tiles.h"

namespace heapscape::gui {

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
