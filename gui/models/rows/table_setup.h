// SPDX-License-Identifier: MIT
#pragma once

#include <QHeaderView>
#include <QModelIndexList>
#include <QObject>
#include <QString>
#include <QTableView>
#include <QTimer>
#include <QTreeView>
#include <vector>

#include "widgets/text/fonts.h"

class QAbstractItemView;

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

/// Gives a section of a table the room that the others leave, but never less than it needs: then the table scrolls.
/// While it is hidden the last section has that room. QHeaderView's own stretching would shrink it to nothing.
/// Names that would be cut in other sections come first: of the room beyond what the section needs these take
/// as much as the rows in sight want; half of it stays where the section itself has names that want it.
class StretchedSection : public QObject {
  Q_OBJECT

 public:
  /// Lives as long as the view, whose header this is. `leastWidth` in pixels. `named`: sections with names.
  StretchedSection(QAbstractItemView* view, QHeaderView* header, int section, int leastWidth,
                   std::vector<int> named = {});

  /// All that its own names want comes before the other sections'.
  void putFirst();

  /// How wide somebody wants a section of a header: what it took of spare room is not in it.
  static int chosenWidth(const QHeaderView& header, int section);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  struct Named {
    int section = 0;
    int chosen = 0;  // width
  };

  Named* find(int section);
  void follow(int section, int before, int after);
  void stretch();
  template <class Visit>
  void forEachInSight(const Visit& visit) const;
  /// Width that the rows in sight want.
  int wantedWidth(int section) const;
  /// In a tree, how far its names stand to the right.
  int indentOf(QModelIndex row) const;
  /// Least width of the section: in a tree its names begin further right the deeper they stand, and need that.
  int leastWidth() const;
  /// Text of objects, which tells something however little is seen of it.
  bool holdsContents() const;

  QAbstractItemView* m_view;
  QHeaderView* m_header;
  const int m_section;
  const int m_leastWidth;
  std::vector<Named> m_named;
  bool m_isFirst = false;
  QTimer m_soon;
  bool m_isStretching = false;
};

/// Room for "88,888,888" or "1,008 KB".
int figureColumnWidth(const QWidget& widget);

/// How all tables look and behave: whole rows, no grid, per-pixel scrolling, Ctrl+C. The view must have its model.
void setUpTable(QTableView* table, QHeaderView* heading);
void setUpTree(QTreeView* tree, QHeaderView* heading);

/// Rows of a tree in sight, top to bottom: the first cell of each row.
QModelIndexList rowsInSight(const QTreeView& tree);

/// Lets the person choose the header's columns, which the settings keep under this key: see HeaderColumns.
void rememberColumns(QHeaderView* header, const QString& key);

}  // namespace heapscape::gui
