// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>
#include <memory>

#include "views/runtime/type_anatomy_geometry.h"

class QPainter;

namespace heapscape::gui {

struct Colours;
class HoverBubble;

/// Object → method table → EEClass: where the runtime keeps what it knows of a type.
class TypeAnatomyPicture : public QWidget {
  Q_OBJECT

 public:
  explicit TypeAnatomyPicture(QWidget* parent = nullptr);

  void show(std::shared_ptr<const engine::TypeDetails> type);
  const TypeAnatomyGeometry& geometry() const { return m_geometry; }

  QSize sizeHint() const override { return m_geometry.size.toSize(); }

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  void layOut();
  void paint(QPainter& painter) const;
  void paintObject(QPainter& painter, const Colours& colours) const;
  void paintBlock(QPainter& painter, const Colours& colours, const TypeAnatomyBlock& block) const;
  void paintArrow(QPainter& painter, const Colours& colours, const QPolygonF& arrow) const;

  std::shared_ptr<const engine::TypeDetails> m_type;
  TypeAnatomyGeometry m_geometry;
  HoverBubble* m_bubble;
};

}  // namespace heapscape::gui
