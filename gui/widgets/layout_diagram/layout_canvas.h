// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>
#include <memory>
#include <vector>

#include "widgets/layout_diagram/layout_diagram_geometry.h"

namespace heapscape::gui {

/// The picture of a layout at its full size; LayoutDiagram scrolls it.
class LayoutCanvas : public QWidget {
  Q_OBJECT

 public:
  explicit LayoutCanvas(QWidget* parent = nullptr);

  void show(std::shared_ptr<const LayoutItems> items, std::vector<bool> isOpen);  // null for none
  void setOpen(std::vector<bool> isOpen);
  void setBar(bool isBar);
  void setZoom(double zoom);
  void setRoom(int width);  // what there is to see at once
  void select(std::uint32_t item);

  const DiagramGeometry& geometry() const { return m_geometry; }
  std::uint32_t selected() const { return m_selected; }
  /// All parts of an item together; empty if it is not drawn.
  QRect boundsOf(std::uint32_t item) const;
  /// Without what only belongs to the screen.
  void paintPicture(QPainter& painter) const;

 Q_SIGNALS:
  void picked(std::uint32_t item);
  void openWanted(std::uint32_t item, bool isOpen);
  /// LayoutItem::kNoItem when the pointer has left.
  void hovered(std::uint32_t item, const QPoint& position);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  DiagramMetrics metrics() const;
  double widthOfLevels() const;
  void layOut();
  void hover(std::uint32_t item, const QPoint& position);
  void toggle(std::uint32_t item);
  void step(int by);
  QFont zoomedFont() const;

  std::shared_ptr<const LayoutItems> m_items;
  std::vector<bool> m_isOpen;
  DiagramGeometry m_geometry;
  std::uint32_t m_selected = LayoutItem::kNoItem;
  std::uint32_t m_hovered = LayoutItem::kNoItem;
  double m_zoom = 1;
  int m_room = 0;
  bool m_isBar = false;
};

}  // namespace heapscape::gui
