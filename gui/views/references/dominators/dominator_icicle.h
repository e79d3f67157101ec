// SPDX-License-Identifier: MIT
#pragma once

#include "views/references/dominators/dominator_picture.h"
#include "views/references/dominators/icicle_geometry.h"

namespace heapscape::gui {

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
