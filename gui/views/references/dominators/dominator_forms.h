// SPDX-License-Identifier: MIT
#pragma once

#include <QLineF>
#include <QPainterPath>
#include <QPointF>
#include <QRectF>
#include <QSizeF>
#include <cstdint>
#include <optional>
#include <vector>

#include "session/dominators/dominators_query.h"
#include "views/references/dominators/dominator_picture.h"
#include "widgets/icicle/icicle.h"

namespace heapscape::gui {

/// So high that the levels which are wide enough to be drawn fill the picture, and at least `least`.
double icicleRowHeight(const std::vector<engine::DominatorShape>& shapes, QSizeF size, double least);

/// The top of a dominator tree above, what it holds below it: as wide as what it retains.
std::vector<IcicleBox> icicleBoxes(const std::vector<engine::DominatorShape>& shapes, QSizeF size, double rowHeight);

/// The dominator tree as an icicle: width is retained size, from the top down.
class DominatorIcicle : public DominatorPicture {
  Q_OBJECT

 public:
  explicit DominatorIcicle(QWidget* parent = nullptr);

  std::optional<std::uint32_t> shapeAt(QPointF point) const override;
  QPainterPath outlineOf(std::uint32_t shape) const override;
  QPointF pointIn(std::uint32_t shape) const override;
  const std::vector<IcicleBox>& boxes() const { return m_boxes; }

 protected:
  void place() override;
  void paintShapes(QPainter& painter, const Colours& colours) const override;
  QRectF areaOf(std::uint32_t shape) const override;

 private:
  const IcicleBox* boxOf(std::uint32_t shape) const;
  void paintBox(QPainter& painter, const Colours& colours, const IcicleBox& box) const;

  std::vector<IcicleBox> m_boxes;
  std::vector<std::uint32_t> m_boxByShape;  // index in m_boxes; none if it is not drawn
};

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

/// Where a shape of the dominator tree is drawn in a sunburst: a piece of a ring. Angles in degrees, clockwise from the
/// top.
struct SunburstArc {
  std::uint32_t shape = 0;  // index
  double innerRadius = 0;
  double outerRadius = 0;
  double startAngle = 0;
  double spanAngle = 0;
};

struct Sunburst {
  QPointF centre;
  double holeRadius = 0;  // within it stands the top
  double radius = 0;
  std::vector<SunburstArc> arcs;

  /// The shape at a point: the top for the hole, none outside.
  std::optional<std::uint32_t> shapeAt(QPointF point) const;
};

/// The top in the middle, its children in a ring around it, theirs in the next one. As many rings as are there and can
/// be at least `leastRing` wide; what would be less than a pixel long is left out.
Sunburst makeSunburst(const std::vector<engine::DominatorShape>& shapes, QSizeF size, double leastRing);

QPainterPath arcPath(const Sunburst& sunburst, const SunburstArc& arc);
/// The dashes that tell a root beside its colour, along the inner side of its arc; none where that is too short.
std::vector<QLineF> arcSeam(const Sunburst& sunburst, const SunburstArc& arc);
/// The part of an arc that its name has room in: within the rim that is hatched where something would be freed.
SunburstArc arcOfLabel(const SunburstArc& arc, double freedShare);
/// The middle of an arc.
QPointF arcCentre(const Sunburst& sunburst, const SunburstArc& arc);

/// The dominator tree as rings around its top: angle is retained size.
class DominatorSunburst : public DominatorPicture {
  Q_OBJECT

 public:
  explicit DominatorSunburst(QWidget* parent = nullptr);

  std::optional<std::uint32_t> shapeAt(QPointF point) const override { return m_sunburst.shapeAt(point); }
  QPainterPath outlineOf(std::uint32_t shape) const override;
  QPointF pointIn(std::uint32_t shape) const override;
  const Sunburst& sunburst() const { return m_sunburst; }

 protected:
  void place() override;
  void paintShapes(QPainter& painter, const Colours& colours) const override;

 private:
  const SunburstArc* arcOf(std::uint32_t shape) const;
  void paintArc(QPainter& painter, const Colours& colours, const SunburstArc& arc) const;
  void paintFreedRim(QPainter& painter, const Colours& colours, const SunburstArc& arc) const;
  void paintLabel(QPainter& painter, const QColor& colour, const SunburstArc& whole) const;
  void paintMiddle(QPainter& painter, const Colours& colours) const;

  Sunburst m_sunburst;
  std::vector<std::uint32_t> m_arcByShape;  // index in the arcs; none if it is not drawn
};

}  // namespace heapscape::gui
