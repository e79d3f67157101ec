// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>
#include <optional>

#include "views/object/anatomy/object_anatomy.h"
#include "views/object/anatomy/object_anatomy_geometry.h"
#include "widgets/accessible/picture_items.h"

namespace heapscape::gui {

/// The structures that an object leads to, as boxes and arrows; a click opens a type's page.
class ObjectAnatomyPicture : public QWidget, public PictureItems {
  Q_OBJECT

 public:
  explicit ObjectAnatomyPicture(QWidget* parent = nullptr);

  void show(ObjectAnatomy anatomy);
  const ObjectAnatomy& anatomy() const { return m_anatomy; }
  const ObjectAnatomyGeometry& geometryOfBoxes() const { return m_geometry; }
  std::size_t itemCount() const override { return m_geometry.boxes.size(); }
  BubbleText itemText(std::size_t item) const override;
  QRectF itemRect(std::size_t item) const override { return m_geometry.boxes[item]; }
  std::optional<std::size_t> currentItem() const override { return m_marked; }
  void goToItem(std::size_t item) override { mark(item); }
  void pressItem(std::size_t item) override;

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 Q_SIGNALS:
  void typeWanted(heapscape::engine::Address methodTable);

 protected:
  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  void layOut();
  void paintPicture(QPainter& painter, bool isForScreen) const;
  void paintBox(QPainter& painter, std::size_t number, bool isForScreen) const;
  void paintArrow(QPainter& painter, const QPolygonF& arrow) const;
  std::optional<std::size_t> boxAt(const QPointF& point) const;
  void mark(std::optional<std::size_t> box);

  ObjectAnatomy m_anatomy;
  ObjectAnatomyGeometry m_geometry;
  std::optional<std::size_t> m_marked;  // under the pointer or reached by keys
};

}  // namespace heapscape::gui
