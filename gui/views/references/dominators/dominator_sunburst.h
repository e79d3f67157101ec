// SPDX-License-Identifier: MIT
#pragma once

#include <QLineF>
#include <QPainterPath>
#include <QPointF>
#include <QSizeF>
#include <cstdint>
#include <optional>
#include <vector>

#include "session/dominators/dominators_query.h"
#include "views/references/dominators/dominator_picture.h"

namespace heapscape::gui {

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
  void paintLabel(QPainter& painter, const QColor& colour, const SunburstArc& arc) const;
  void paintMiddle(QPainter& painter, const Colours& colours) const;

  Sunburst m_sunburst;
  std::vector<std::uint32_t> m_arcByShape;  // index in the arcs; none if it is not drawn
};

}  // namespace heapscape::gui
