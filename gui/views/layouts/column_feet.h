// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>
#include <vector>

#include "views/layouts/layout_column.h"

class QToolButton;

namespace heapscape::gui {

class SideBySideDiagram;

/// Below the columns of a picture, and always in sight: each one's size as a bar on one scale with its padding hatched,
/// what it means for this heap, and a button that copies the declaration for it.
class ColumnFeet : public QWidget {
  Q_OBJECT

 public:
  /// Stands below the diagram and goes along with its columns.
  explicit ColumnFeet(SideBySideDiagram& diagram, QWidget* parent = nullptr);

  void show(std::vector<ColumnFoot> feet);
  const std::vector<ColumnFoot>& feet() const { return m_feet; }
  /// Low windows have none for it; the heads of the columns say the sizes as well.
  void setHasRoom(bool hasRoom);
  /// The bar of a column, and the part of it that is padding; empty for a chip.
  QRectF barOf(std::size_t column) const;
  QRectF paddingOf(std::size_t column) const;

  /// Height of what a page of a review has of it below the picture; 0 where there is nothing to compare.
  double pinnedHeight() const;
  /// Below the whole picture rather than what is seen of it.
  void paintPinned(QPainter& painter, const QRectF& room) const;

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return {0, sizeHint().height()}; }

 protected:
  void paintEvent(QPaintEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  QRectF spanOf(std::size_t column) const;
  QRectF effectRect(std::size_t column) const;
  void paintFeet(QPainter& painter, const QPalette& look) const;
  void addButtons();
  void placeButtons();

  SideBySideDiagram& m_diagram;
  std::vector<ColumnFoot> m_feet;
  bool m_hasRoom = true;
  std::vector<QToolButton*> m_buttons;  // by column, null for none
};

}  // namespace heapscape::gui
