// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>
#include <memory>
#include <vector>

#include "layout/layout_items.h"
#include "widgets/layout_diagram/diagram_canvas.h"
#include "widgets/layout_diagram/layout_diagram_geometry.h"

namespace heapscape::gui {

class LegendChip;

/// The legend of the colours of bytes; under every picture of them.
class LayoutLegend : public QWidget {
  Q_OBJECT

 public:
  explicit LayoutLegend(QWidget* parent = nullptr);

  /// Leaves out what is in none of these.
  void showWhatIsIn(const std::vector<const engine::LayoutItems*>& pictures);

 private:
  LegendChip* m_reference;
  LegendChip* m_primitive;
  LegendChip* m_valueType;
  LegendChip* m_padding;
  LegendChip* m_cacheLine;
};

/// The picture of a layout at its full size; LayoutDiagram scrolls it.
class LayoutCanvas : public DiagramCanvas {
  Q_OBJECT

 public:
  explicit LayoutCanvas(QWidget* parent = nullptr);

  void show(std::shared_ptr<const engine::LayoutItems> items, std::vector<bool> isOpen);  // null for none
  void setOpen(std::vector<bool> isOpen);
  void select(std::uint32_t item);

  const DiagramGeometry& geometry() const { return m_geometry; }
  std::uint32_t selected() const { return m_selected; }
  /// All parts of an item together; empty if it is not drawn.
  QRect boundsOf(std::uint32_t item) const;
  // Drawn items, outer ones before what lies in them.
  std::size_t itemCount() const override { return m_geometry.boxes.size(); }
  BubbleText itemText(std::size_t item) const override;
  QRectF itemRect(std::size_t item) const override { return boundsOf(m_geometry.boxes[item].item); }
  std::optional<std::size_t> currentItem() const override;
  void goToItem(std::size_t item) override;
  void pressItem(std::size_t item) override;
  std::optional<bool> isItemOpen(std::size_t item) const override;

  /// Without what only belongs to the screen.
  void paintPicture(QPainter& painter) const;

 Q_SIGNALS:
  void picked(std::uint32_t item);
  void openWanted(std::uint32_t item, bool isOpen);
  /// engine::LayoutItem::kNoItem when the pointer has left.
  void hovered(std::uint32_t item, const QPoint& position);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;

 private:
  DiagramMetrics metrics() const;
  void layOut() override;
  void wantOpen(bool isOpen) override;
  void hover(std::uint32_t item, const QPoint& position);
  void press(std::uint32_t item);
  bool canOpen(std::uint32_t item) const;

  std::shared_ptr<const engine::LayoutItems> m_items;
  std::vector<bool> m_isOpen;
  DiagramGeometry m_geometry;
  std::uint32_t m_selected = engine::LayoutItem::kNoItem;
  std::uint32_t m_hovered = engine::LayoutItem::kNoItem;
};

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
