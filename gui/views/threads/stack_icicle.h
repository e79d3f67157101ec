// SPDX-License-Identifier: MIT
#pragma once

#include <QStringList>
#include <QWidget>
#include <optional>
#include <vector>

#include "widgets/accessible/picture_items.h"
#include "widgets/icicle/icicle.h"

namespace heapscape::gui {

struct Colours;

/// Origin of a frame's code; a colour each, labels say the rest.
enum class FrameFamily { Program, Package, Framework, Aside, Folded };
QString frameFamilyText(FrameFamily family);
/// The fill of the family's boxes.
QBrush frameFamilyBrush(FrameFamily family, const Colours& colours);

/// A frame that several stacks have in common.
struct StackShape {
  static constexpr std::uint32_t kNone = 0xffffffff;

  std::uint32_t parent = kNone;  // index; each shape is followed by all below it
  std::uint32_t depth = 0;
  std::uint64_t count = 0;  // of stacks
  FrameFamily family = FrameFamily::Program;
  QString name;       // as a label
  QString fullName;   // for the bubble
  QStringList facts;  // under it
};

/// The shapes as parts of the one in focus, which has the whole width, as have those above it.
std::vector<IcicleSpan> stackSpans(const std::vector<StackShape>& shapes, std::uint32_t focus);

/// Stacks laid over each other as an icicle: from where they began down, width is their number. A click, or Enter, puts
/// a frame into focus; a click on one above it, or Escape, takes that back. The arrow keys move the mark.
class StackIcicle : public QWidget, public PictureItems {
  Q_OBJECT

 public:
  explicit StackIcicle(QWidget* parent = nullptr);

  /// `noun`: of what there are several, "thread".
  void show(std::vector<StackShape> shapes, const QString& noun);
  void clear() { show({}, {}); }
  void setFocusShape(std::uint32_t shape);

  const std::vector<StackShape>& shapes() const { return m_shapes; }
  std::uint32_t focusShape() const { return m_focus; }
  std::optional<std::uint32_t> markedShape() const { return m_marked; }
  const std::vector<IcicleBox>& boxes() const { return m_boxes; }
  std::optional<std::uint32_t> shapeAt(QPointF point) const;
  const HoverBubble& bubble() const { return *m_bubble; }

  // Those that are drawn.
  std::size_t itemCount() const override { return m_boxes.size(); }
  BubbleText itemText(std::size_t item) const override { return bubbleText(m_boxes[item].shape); }
  QRectF itemRect(std::size_t item) const override { return m_boxes[item].rect; }
  std::optional<std::size_t> currentItem() const override;
  void goToItem(std::size_t item) override { mark(m_boxes[item].shape); }
  void pressItem(std::size_t item) override { putIntoFocus(m_boxes[item].shape); }

  QSize sizeHint() const override;

 Q_SIGNALS:
  /// The user put this into focus; 0 for all.
  void focusChanged(std::uint32_t shape);

 protected:
  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  double rowHeight() const;
  void place();
  void paint(QPainter& painter) const;
  BubbleText bubbleText(std::uint32_t shape) const;
  void hoverAt(std::optional<QPointF> point);
  void putIntoFocus(std::uint32_t shape);
  void mark(std::uint32_t shape);
  /// The shape that an arrow key leads to; the same one if there is none.
  std::uint32_t neighbour(std::uint32_t shape, int key) const;
  const IcicleBox* boxOf(std::uint32_t shape) const;
  QString countOf(const StackShape& shape) const;

  std::vector<StackShape> m_shapes;
  QString m_noun;
  std::uint32_t m_focus = 0;
  std::vector<IcicleBox> m_boxes;
  std::optional<std::uint32_t> m_hovered;
  std::optional<std::uint32_t> m_marked;
  HoverBubble* m_bubble;
};

}  // namespace heapscape::gui
