// SPDX-License-Identifier: MIT
#pragma once

#include <QPolygonF>
#include <QRectF>
#include <QSizeF>
#include <QWidget>
#include <memory>
#include <optional>
#include <vector>

#include "session/types/type_details.h"
#include "widgets/accessible/picture_items.h"

class QPainter;

namespace heapscape::gui {

/// Sizes that follow from the font.
struct TypeAnatomyScale {
  double line = 20;
  double width = 220;   // of a column
  double between = 48;  // columns, with room for arrows
  double gap = 12;      // between blocks of a column
  double margin = 12;
};

/// A part of a type's runtime structures.
struct TypeAnatomyPart {
  QRectF box;
  QRectF title;  // name, and at its right the size
  QRectF address;
  QRectF note;           // empty if there is none
  std::size_t part = 0;  // index in TypeDetails::parts
};

/// Parts that lie behind one another in memory.
struct TypeAnatomyBlock {
  QRectF box;
  std::vector<TypeAnatomyPart> parts;
};

/// An object of the type, its method table, and what that points to.
struct TypeAnatomyGeometry {
  QRectF object;         // empty for types without objects
  QRectF objectPointer;  // the line in it that holds the method table pointer
  QRectF objectFields;
  std::vector<TypeAnatomyBlock> blocks;  // that of the method table first
  std::vector<QPolygonF> arrows;         // the last point is the tip
  QSizeF size;
};

TypeAnatomyGeometry layOutTypeAnatomy(const engine::TypeDetails& type, bool hasObject, const TypeAnatomyScale& scale);

/// The part at a point: its index in TypeDetails::parts.
std::optional<std::size_t> typeAnatomyPartAt(const TypeAnatomyGeometry& geometry, QPointF point);

struct Colours;

/// Object → method table → EEClass: where the runtime keeps what it knows of a type.
class TypeAnatomyPicture : public QWidget, public PictureItems {
  Q_OBJECT

 public:
  explicit TypeAnatomyPicture(QWidget* parent = nullptr);

  void show(std::shared_ptr<const engine::TypeDetails> type);
  const TypeAnatomyGeometry& geometry() const { return m_geometry; }

  // The parts of the type, by their place in its details.
  std::size_t itemCount() const override { return m_type ? m_type->parts.size() : 0; }
  BubbleText itemText(std::size_t item) const override;
  QRectF itemRect(std::size_t item) const override;
  std::optional<std::size_t> currentItem() const override { return m_current; }
  void goToItem(std::size_t item) override;
  void pressItem(std::size_t item) override { goToItem(item); }

  QSize sizeHint() const override { return m_geometry.size.toSize(); }

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void changeEvent(QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void layOut();
  void paint(QPainter& painter) const;
  void paintObject(QPainter& painter, const Colours& colours) const;
  void paintBlock(QPainter& painter, const Colours& colours, const TypeAnatomyBlock& block) const;
  void paintArrow(QPainter& painter, const Colours& colours, const QPolygonF& arrow) const;

  std::shared_ptr<const engine::TypeDetails> m_type;
  TypeAnatomyGeometry m_geometry;
  std::optional<std::size_t> m_current;
  HoverBubble* m_bubble;
};

}  // namespace heapscape::gui
