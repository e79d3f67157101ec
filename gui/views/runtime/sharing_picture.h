// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>

#include "views/runtime/sharing_geometry.h"
#include "widgets/accessible/picture_items.h"

class QPainter;

namespace heapscape::gui {

struct Colours;

/// The instantiations of a generic type; a box goes around those that run the same code.
class SharingPicture : public QWidget, public PictureItems {
  Q_OBJECT

 public:
  explicit SharingPicture(QWidget* parent = nullptr);

  void show(const engine::GenericDefinition& definition);
  void clear();
  const SharingGeometry& geometry() const { return m_geometry; }
  /// Marks an instantiation without telling anyone.
  void follow(engine::Address methodTable);

  std::size_t itemCount() const override { return m_geometry.rows.size(); }
  BubbleText itemText(std::size_t item) const override;
  QRectF itemRect(std::size_t item) const override { return m_geometry.rows[item]; }
  std::optional<std::size_t> currentItem() const override { return m_current; }
  void goToItem(std::size_t item) override { setCurrent(item); }
  void pressItem(std::size_t item) override;

  bool hasHeightForWidth() const override { return true; }
  int heightForWidth(int width) const override;
  QSize sizeHint() const override;

 Q_SIGNALS:
  void typePicked(heapscape::engine::Address methodTable);
  void typeActivated(heapscape::engine::Address methodTable);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  bool event(QEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  void layOut();
  double line() const;
  void setCurrent(std::size_t row);
  void paintGroup(QPainter& painter, const Colours& colours, const SharingGroup& group) const;
  void paintRow(QPainter& painter, const Colours& colours, std::size_t row) const;

  engine::GenericDefinition m_definition;
  SharingGeometry m_geometry;
  std::optional<std::size_t> m_current;
};

}  // namespace heapscape::gui
