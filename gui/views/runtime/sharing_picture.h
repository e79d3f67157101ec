// SPDX-License-Identifier: MIT
#pragma once

#include <QRectF>
#include <QSizeF>
#include <QWidget>
#include <optional>
#include <vector>

#include "session/types/generics_query.h"
#include "widgets/accessible/picture_items.h"

class QPainter;

namespace heapscape::gui {

/// Instantiations that run the same code.
struct SharingGroup {
  QRectF box;      // around all of them, where they share
  QRectF heading;  // empty for an instantiation that has code of its own
  std::size_t first = 0;
  std::size_t count = 0;  // instantiations [first, first + count)
  bool isShared = false;
};

struct SharingGeometry {
  std::vector<SharingGroup> groups;
  std::vector<QRectF> rows;  // one an instantiation, in the definition's order
  QSizeF size;
};

/// One row for each instantiation; those with the same canonical method table lie in one box.
SharingGeometry layOutSharing(const engine::GenericDefinition& definition, double width, double line);

/// The instantiation at a point.
std::optional<std::size_t> instantiationAt(const SharingGeometry& geometry, QPointF point);

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
