// SPDX-License-Identifier: MIT
#pragma once

#include <QHeaderView>

namespace heapscape::gui {

/// Flat headings over a table: dimmed words on the table's own ground, with the margins of its cells.
class TableHeading : public QHeaderView {
  Q_OBJECT

 public:
  explicit TableHeading(QWidget* parent = nullptr);

  /// The first sections that are shown stay where they are while the others scroll below them.
  void setPinned(int sections);
  bool hasPinned() const { return m_pinned > 0; }
  bool isPinned(int section) const;
  /// Where these end, in pixels; 0 while nothing has scrolled below them, or where they would leave no room.
  int pinnedWidth() const;
  /// The section under a point of the heading, pinned or not; -1 for none.
  int sectionAt(const QPoint& position) const { return logicalIndexAt(placeOf(position)); }

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  bool viewportEvent(QEvent* event) override;
  void paintSection(QPainter* painter, const QRect& rect, int section) const override;
  QSize sectionSizeFromContents(int section) const override;
  /// The words of a section; its ground is drawn.
  virtual void paintContent(QPainter* painter, const QRect& rect, int section) const;

 private:
  /// Place of a position; in a pinned section where nothing has scrolled.
  QPoint placeOf(const QPoint& position) const;
  QMouseEvent placed(const QMouseEvent& event) const;

  int m_pinned = 0;
};

}  // namespace heapscape::gui
