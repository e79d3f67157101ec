// SPDX-License-Identifier: MIT
#pragma once

#include <QPolygonF>
#include <QRectF>
#include <QSizeF>
#include <QString>
#include <QStringList>
#include <QWidget>
#include <optional>
#include <vector>

#include "session/types/type_details.h"
#include "widgets/accessible/picture_items.h"
#include "widgets/hex_view/object_page.h"

namespace heapscape::gui {

/// A structure of the runtime that an object leads to.
struct ObjectAnatomyBox {
  QString title;    // "EEClass"
  QString address;  // "0x7f…"; empty if there is none
  QStringList lines;
  int column = 0;
  engine::Address type;  // whose page a click opens; 0 for none
};

/// "points to", from one box to another.
struct ObjectAnatomyArrow {
  std::size_t from = 0;
  std::size_t to = 0;
};

struct ObjectAnatomy {
  std::vector<ObjectAnatomyBox> boxes;  // by column, then from the top
  std::vector<ObjectAnatomyArrow> arrows;
};

/// Object → method table → EEClass, with parent and module; without the type's details only the first two.
ObjectAnatomy objectAnatomy(const ObjectPage& page, const std::optional<engine::TypeDetails>& type);

/// Sizes in device-independent pixels that the picture is laid out with.
struct ObjectAnatomyMetrics {
  double width = 900;
  double lineHeight = 20;
  double padding = 10;
  double columnGap = 48;
  double rowGap = 12;
  double margin = 12;
  std::vector<double> widths;  // of the boxes' widest lines
};

struct ObjectAnatomyGeometry {
  std::vector<QRectF> boxes;
  std::vector<QPolygonF> arrows;  // from the right edge of one to the left edge of the other
  QSizeF size;
};

/// Columns side by side, as wide as their texts where there is room, narrower where there is not.
ObjectAnatomyGeometry layOutObjectAnatomy(const ObjectAnatomy& anatomy, const ObjectAnatomyMetrics& metrics);

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
