// SPDX-License-Identifier: MIT
#pragma once

#include <QScrollArea>
#include <QWidget>
#include <vector>

#include "widgets/accessible/picture_items.h"
#include "widgets/layout_diagram/layout_diagram_geometry.h"

namespace heapscape::gui {

/// The base of pictures of layouts at their full size: their form, their zoom, and the room they are seen in.
class DiagramCanvas : public QWidget, public PictureItems {
  Q_OBJECT

 public:
  void setBar(bool isBar);  // else rows of eight bytes
  void setZoom(double zoom);
  void setRoom(int width);  // what there is to see at once
  /// The arrow keys up and down go from type to type, and from field to field with Ctrl.
  void setStepsTypes() { m_stepsTypes = true; }

 Q_SIGNALS:
  /// The picture of the type above (-1) or below in its list; the focus stays here.
  void typeStepWanted(int by);

 protected:
  explicit DiagramCanvas(QWidget* parent);

  bool isBar() const { return m_isBar; }
  double zoom() const { return m_zoom; }
  int room() const { return m_room; }
  QFont zoomedFont() const;
  /// Width of the names of the inheritance levels beside the rows.
  double widthOfLevels(const engine::LayoutItems& items) const;

  /// Computes the geometry anew and takes its size.
  virtual void layOut() = 0;
  /// Asks for what is current to be opened or closed, if it can be.
  virtual void wantOpen(bool isOpen) = 0;
  void changeEvent(QEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  double m_zoom = 1;
  int m_room = 0;
  bool m_isBar = false;
  bool m_stepsTypes = false;
};

/// Pixels; a bar of many kilobytes gets narrower bytes.
inline constexpr double kMostDiagramWidth = 4'000'000;

class HoverBubble;

/// The base of all byte diagrams: a canvas that scrolls, zooms at the pointer with Ctrl and the wheel, and
/// tells in a bubble what is under the pointer.
class DiagramScroller : public QScrollArea {
  Q_OBJECT

 public:
  void zoomBy(int steps);

 protected:
  /// Takes the canvas; it is not yet asked anything.
  DiagramScroller(QWidget* canvas, QWidget* parent);

  virtual void setCanvasZoom(double zoom) = 0;
  virtual void setCanvasRoom(int width) = 0;
  void scrollTo(const QRect& bounds);
  /// `inView`: where the pointer is; `more`: facts behind those of the item.
  void showBubble(const engine::LayoutItems& items, const std::vector<DiagramBox>& boxes, std::uint32_t item,
                  const QPoint& inView, const QStringList& more = {});
  void showBubble(const QString& title, const QStringList& facts, const QPoint& inView);
  void hideBubble();

  void resizeEvent(QResizeEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  void updateBackground();

  HoverBubble* m_bubble;
  int m_zoomSteps = 0;
};

}  // namespace heapscape::gui
