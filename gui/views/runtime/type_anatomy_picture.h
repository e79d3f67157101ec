// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>
#include <memory>

#include "views/runtime/type_anatomy_geometry.h"
#include "widgets/accessible/picture_items.h"

class QPainter;

namespace heapscape::gui {

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
