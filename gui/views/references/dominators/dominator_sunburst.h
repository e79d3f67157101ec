// SPDX-License-Identifier: MIT
#pragma once

#include "views/references/dominators/dominator_picture.h"
#include "views/references/dominators/sunburst_geometry.h"

namespace heapscape::gui {

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
