// SPDX-License-Identifier: MIT
#pragma once

#include <QObject>
#include <QTimer>
#include <vector>

class QAbstractItemView;
class QHeaderView;

namespace heapscape::gui {

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

}  // namespace heapscape::gui
