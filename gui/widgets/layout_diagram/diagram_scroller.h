// SPDX-License-Identifier: MIT
#pragma once

#include <QScrollArea>
#include <vector>

#include "widgets/layout_diagram/layout_diagram_geometry.h"

namespace heapscape::gui {

class HoverBubble;

/// What all byte diagrams have in common: a canvas that scrolls, zooms at the pointer with Ctrl and the wheel, and
/// tells in a bubble what is under the pointer.
class DiagramScroller : public QScrollArea {
  Q_OBJECT

 public:
  void zoomBy(int steps);
  void resetZoom() { zoomBy(-m_zoomSteps); }

 protected:
  /// Takes the canvas; it is not yet asked anything.
  DiagramScroller(QWidget* canvas, QWidget* parent);

  virtual void setCanvasZoom(double zoom) = 0;
  virtual void setCanvasRoom(int width) = 0;
  void scrollTo(const QRect& bounds);
  /// `inView`: where the pointer is.
  void showBubble(const engine::LayoutItems& items, const std::vector<DiagramBox>& boxes, std::uint32_t item,
                  const QPoint& inView);
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
