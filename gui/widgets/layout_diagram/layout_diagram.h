// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <vector>

#include "layout/layout_items.h"
#include "widgets/layout_diagram/diagram_scroller.h"

namespace heapscape::gui {

class LayoutCanvas;

/// The byte diagram of a type: scrolls, zooms and names what is under the pointer.
class LayoutDiagram : public DiagramScroller {
  Q_OBJECT

 public:
  explicit LayoutDiagram(QWidget* parent = nullptr);

  void show(std::shared_ptr<const engine::LayoutItems> items, std::vector<bool> isOpen);
  void setOpen(std::vector<bool> isOpen);
  void setBar(bool isBar);
  void select(std::uint32_t item);
  LayoutCanvas* canvas() const { return m_canvas; }

 Q_SIGNALS:
  void picked(std::uint32_t item);
  void openWanted(std::uint32_t item, bool isOpen);

 private:
  LayoutDiagram(LayoutCanvas* canvas, QWidget* parent);
  void setCanvasZoom(double zoom) override;
  void setCanvasRoom(int width) override;
  void hover(std::uint32_t item, const QPoint& position);

  LayoutCanvas* m_canvas;
  std::shared_ptr<const engine::LayoutItems> m_items;
};

}  // namespace heapscape::gui
