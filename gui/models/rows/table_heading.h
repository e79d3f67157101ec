// SPDX-License-Identifier: MIT
#pragma once

#include <QHeaderView>

namespace heapscape::gui {

/// Flat headings over a table: dimmed words on the table's own ground, with the margins of its cells.
class TableHeading : public QHeaderView {
  Q_OBJECT

 public:
  explicit TableHeading(QWidget* parent = nullptr);

 protected:
  void paintSection(QPainter* painter, const QRect& rect, int section) const override;
  QSize sectionSizeFromContents(int section) const override;
  /// The words of a section; its ground is drawn.
  virtual void paintContent(QPainter* painter, const QRect& rect, int section) const;
};

}  // namespace heapscape::gui
