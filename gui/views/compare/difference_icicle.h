// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>
#include <cstdint>
#include <optional>
#include <vector>

#include "insight/comparison/dominator_difference.h"
#include "widgets/accessible/picture_items.h"
#include "widgets/icicle/icicle.h"

namespace heapscape::gui {

struct Colours;

/// What has become of a part of the tree: less than a hundredth of the larger side counts as none.
enum class DifferenceFate { Same, Grown, Shrunk };
DifferenceFate differenceFate(const engine::Change& retained);
/// "As before", "Grown", "Shrunk".
QString differenceFateText(DifferenceFate fate);
/// Grey, orange, blue.
QColor differenceColour(DifferenceFate fate, const Colours& colours);
/// Beside its colour, what has grown has a bar along its top, and what has shrunk along its bottom; empty for neither.
QRectF differenceMark(DifferenceFate fate, const QRectF& part);

/// The dominator trees of two dumps laid over each other: as wide as each part retains on the side that has more of it.
/// A click goes into a part, Escape out of it again.
class DifferenceIcicle : public QWidget, public PictureItems {
  Q_OBJECT

 public:
  explicit DifferenceIcicle(QWidget* parent = nullptr);

  /// Shapes as dominatorDifference() gives them.
  void show(std::vector<engine::DifferenceShape> shapes);
  std::uint32_t focusShape() const { return m_focus; }

  std::size_t itemCount() const override { return m_boxes.size(); }
  BubbleText itemText(std::size_t item) const override;
  QRectF itemRect(std::size_t item) const override { return m_boxes[item].rect; }
  std::optional<std::size_t> currentItem() const override { return m_current; }
  void goToItem(std::size_t item) override;
  void pressItem(std::size_t item) override { focusOn(m_boxes[item].shape); }

  QSize sizeHint() const override { return {480, minimumHeight()}; }

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void place();
  void paint(QPainter& painter) const;
  void focusOn(std::uint32_t shape);
  std::optional<std::size_t> itemAt(QPointF point) const;
  double rowHeight() const;

  std::vector<engine::DifferenceShape> m_shapes;
  std::vector<IcicleBox> m_boxes;
  std::uint32_t m_focus = 0;
  std::optional<std::size_t> m_current;  // pointed at, or reached by the keys
  HoverBubble* m_bubble;
};

}  // namespace heapscape::gui
