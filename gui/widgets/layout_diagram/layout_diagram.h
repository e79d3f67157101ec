// SPDX-License-Identifier: MIT
#pragma once

#include <QScrollArea>
#include <memory>
#include <vector>

#include "models/layout_items.h"

namespace heapscape::gui {

class HoverBubble;
class LayoutCanvas;

/// The byte diagram of a type: scrolls, zooms and names what is under the pointer.
class LayoutDiagram : public QScrollArea {
  Q_OBJECT

 public:
  explicit LayoutDiagram(QWidget* parent = nullptr);

  void show(std::shared_ptr<const LayoutItems> items, std::vector<bool> isOpen);
  void setOpen(std::vector<bool> isOpen);
  void setBar(bool isBar);
  void select(std::uint32_t item);
  void zoomBy(int steps);
  void resetZoom();
  LayoutCanvas* canvas() const { return m_canvas; }

 Q_SIGNALS:
  void picked(std::uint32_t item);
  void openWanted(std::uint32_t item, bool isOpen);

 protected:
  void resizeEvent(QResizeEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  void updateBackground();
  void showBubble(std::uint32_t item, const QPoint& position);

  LayoutCanvas* m_canvas;
  HoverBubble* m_bubble;
  std::shared_ptr<const LayoutItems> m_items;
  int m_zoomSteps = 0;
};

}  // namespace heapscape::gui
