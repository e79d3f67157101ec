// SPDX-License-Identifier: MIT
#pragma once

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

}  // namespace heapscape::gui
