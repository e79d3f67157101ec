// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>
#include <optional>

#include "heap/object_header.h"
#include "views/object/anatomy/header_ruler_geometry.h"
#include "widgets/accessible/picture_items.h"

namespace heapscape::gui {

/// The 32 bits of an object's header, those of one meaning together. Unused ones are dimmed.
class HeaderRuler : public QWidget, public PictureItems {
  Q_OBJECT

 public:
  explicit HeaderRuler(QWidget* parent = nullptr);

  void show(std::optional<engine::ObjectHeader> header);
  const RulerGeometry& geometryOfBits() const { return m_geometry; }
  std::size_t itemCount() const override { return m_geometry.groups.size(); }
  BubbleText itemText(std::size_t item) const override;
  QRectF itemRect(std::size_t item) const override { return m_geometry.groups[item].cells; }
  std::optional<std::size_t> currentItem() const override { return m_current; }
  void goToItem(std::size_t item) override;
  void pressItem(std::size_t item) override { goToItem(item); }

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;
  bool hasHeightForWidth() const override { return true; }
  int heightForWidth(int width) const override;

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void changeEvent(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  RulerGeometry layOutFor(int width) const;
  void paintPicture(QPainter& painter) const;
  void paintGroup(QPainter& painter, std::size_t number) const;
  QColor colourOf(const engine::HeaderBits& bits) const;
  void hoverAt(const QPoint& point);

  std::optional<engine::ObjectHeader> m_header;
  RulerGeometry m_geometry;
  std::optional<std::size_t> m_hovered;  // group
  std::optional<std::size_t> m_current;  // group
  HoverBubble* m_bubble;
};

}  // namespace heapscape::gui
