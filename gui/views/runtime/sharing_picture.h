// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>

#include "views/runtime/sharing_geometry.h"

class QPainter;

namespace heapscape::gui {

struct Colours;

/// The instantiations of a generic type; a box goes around those that run the same code.
class SharingPicture : public QWidget {
  Q_OBJECT

 public:
  explicit SharingPicture(QWidget* parent = nullptr);

  void show(const engine::GenericDefinition& definition);
  void clear();
  const SharingGeometry& geometry() const { return m_geometry; }
  /// Marks an instantiation without telling anyone.
  void follow(engine::Address methodTable);

  bool hasHeightForWidth() const override { return true; }
  int heightForWidth(int width) const override;
  QSize sizeHint() const override;

 Q_SIGNALS:
  void typePicked(heapscape::engine::Address methodTable);
  void typeActivated(heapscape::engine::Address methodTable);
  /// So that whoever scrolls brings it into view.
  void currentMoved(const QRect& row);

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
