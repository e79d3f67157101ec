// SPDX-License-Identifier: MIT
#pragma once

#include <QElapsedTimer>
#include <QPainterPath>
#include <QPixmap>
#include <QWidget>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "views/references/dominators/dominator_scene.h"
#include "widgets/accessible/picture_items.h"

class QVariantAnimation;

namespace heapscape::gui {

struct Colours;

/// Shapes of a scene that a search has found.
struct DominatorMatches {
  std::vector<std::uint32_t> shapes;  // those that retain most first
  std::vector<bool> isMatch;          // by shape
  std::uint64_t bytes = 0;            // that they retain, each byte once
};

/// A picture of the dominator tree from one node down. A click zooms into a shape, on the top out of it; the wheel and
/// the keyboard do the same, the arrow keys move the mark. Shapes are told by their index in the scene.
class DominatorPicture : public QWidget, public PictureItems {
  Q_OBJECT

 public:
  explicit DominatorPicture(const QString& name, QWidget* parent = nullptr);

  /// Null for none. Shares are told of `wholeBytes`.
  void setScene(SharedScene scene, std::uint64_t wholeBytes);
  /// Marks the shape of a node, if there is one.
  void mark(std::optional<std::uint32_t> node);
  /// All others are dimmed; null for no search. Of the scene that is shown.
  void setMatches(std::shared_ptr<const DominatorMatches> matches);
  /// Hatches what cuts would free: bytes of what each shape of the shown scene retains. Null for no cuts.
  void setFreed(std::shared_ptr<const std::vector<std::uint64_t>> freed);
  /// The share of a shape that cuts would free, from 0 to 1.
  double freedShare(std::uint32_t shape) const;
  /// Whether it is still on its way from what was shown before.
  bool isMoving() const;

  const DominatorScene* scene() const { return m_scene.get(); }
  /// The top dominates nothing: it stands as a thin bar below those that dominate it, each as long as what it retains,
  /// and does not fill the picture. Where they are many, some in the middle are left out.
  struct AncestorBar {
    std::size_t step = 0;  // of the scene's way; the last one is the top itself
    QRectF row;            // where a click counts
    QRectF bar;
  };
  std::vector<AncestorBar> ancestorBars() const;
  std::optional<std::uint32_t> markedShape() const { return m_marked; }
  const HoverBubble& bubble() const { return *m_bubble; }
  std::size_t itemCount() const override { return m_scene ? shapes().size() : 0; }
  BubbleText itemText(std::size_t item) const override;
  QRectF itemRect(std::size_t item) const override;
  std::optional<std::size_t> currentItem() const override { return m_marked; }
  void goToItem(std::size_t item) override { pick(static_cast<std::uint32_t>(item)); }
  void pressItem(std::size_t item) override { zoomInto(static_cast<std::uint32_t>(item)); }
  virtual std::optional<std::uint32_t> shapeAt(QPointF point) const = 0;
  /// The way around a shape; empty if it is not drawn.
  virtual QPainterPath outlineOf(std::uint32_t shape) const = 0;
  /// A point in a shape that is drawn.
  virtual QPointF pointIn(std::uint32_t shape) const = 0;

 Q_SIGNALS:
  void picked(std::uint32_t shape);
  void zoomWanted(std::uint32_t shape);
  void zoomOutWanted();
  void wholeWanted();
  /// A step of the scene's way is to be the top.
  void stepWanted(std::size_t step);
  /// The user wants to see the object or type itself.
  void opened(std::uint32_t shape);
  void menuWanted(std::uint32_t shape, QPoint globalPosition);

 protected:
  /// Places the shapes anew, for the widget's size.
  virtual void place() = 0;
  /// Draws all shapes into a size.
  virtual void paintShapes(QPainter& painter, const Colours& colours) const = 0;
  /// Where a shape and all below it are drawn; empty if they are not.
  virtual QRectF areaOf(std::uint32_t shape) const { return outlineOf(shape).boundingRect(); }

  /// How a shape is filled, and what is written on it.
  QBrush fillOf(std::uint32_t shape, const Colours& colours) const;
  QColor textOn(std::uint32_t shape, const Colours& colours) const;
  /// Roots have a seam along an edge.
  bool isRoot(std::uint32_t shape) const;
  const std::vector<engine::DominatorShape>& shapes() const { return m_scene->shapes; }
  /// Whether something is cut.
  bool hasFreed() const { return m_freed != nullptr; }
  /// How high the strip at the bottom is at most.
  static constexpr double kFreedStrip = 5;
  /// How high the strip at the bottom is, which labels keep clear of; 0 where there is none.
  double freedHeight(std::uint32_t shape, const QRectF& part) const;
  /// A strip at the bottom of a shape's part, as long as the share of it that would be freed.
  void paintFreed(QPainter& painter, const Colours& colours, std::uint32_t shape, const QRectF& part) const;

  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;

 private:
  void placeAnew();
  bool standsAlone() const { return m_scene && shapes().size() == 1 && m_scene->way.size() > 1; }
  void paintAncestors(QPainter& painter, const Colours& colours) const;
  std::optional<std::uint32_t> shapeUnder(QPointF point) const;
  QPainterPath shownOutline(std::uint32_t shape) const;
  void paintPicture(QPainter& painter, const Colours& colours) const;
  void hoverAt(std::optional<QPointF> point);
  void zoomInto(std::uint32_t shape);
  void pick(std::uint32_t shape);
  /// The shape that an arrow key leads to; the same one if there is none.
  std::uint32_t neighbour(std::uint32_t shape, int key) const;
  std::optional<std::uint32_t> sibling(std::uint32_t shape, int step) const;
  std::optional<std::uint32_t> firstChild(std::uint32_t shape) const;
  std::optional<std::uint32_t> shapeOf(std::uint32_t node) const;
  bool isDimmed(std::uint32_t shape) const { return m_matches && !m_matches->isMatch[shape]; }
  void draw();
  /// Moves from the picture before to this one: what is zoomed into grows to the whole, or the whole shrinks to where
  /// it is.
  void move(QPixmap before, QRectF area, bool isInward);
  void paintMotion(QPainter& painter) const;
  bool isDrawn(std::uint32_t shape) const { return !outlineOf(shape).isEmpty(); }

  SharedScene m_scene;
  std::uint64_t m_wholeBytes = 0;
  std::optional<std::uint32_t> m_hovered;
  std::optional<std::uint32_t> m_marked;
  std::optional<engine::DominatorNode> m_pressed;  // of the first click, which may zoom before the second one comes
  QPixmap m_drawn;                                 // null when it has to be drawn anew
  std::shared_ptr<const DominatorMatches> m_matches;
  std::shared_ptr<const std::vector<std::uint64_t>> m_freed;
  QVariantAnimation* m_motion;
  QPixmap m_before;     // while it moves
  QRectF m_movingArea;  // of the inner picture in the outer one
  bool m_isInward = true;
  QElapsedTimer m_sinceWheel;
  HoverBubble* m_bubble;
};

}  // namespace heapscape::gui
