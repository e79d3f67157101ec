// SPDX-License-Identifier: MIT
#pragma once

#include <QObject>
#include <QString>
#include <functional>
#include <vector>

class QAbstractItemView;
class QHeaderView;
class QMenu;

namespace heapscape::gui {

/// The columns of a table or tree that are shown, as they stand from the left.
std::vector<int> shownColumns(const QAbstractItemView& view);

/// The columns of a heading as the person wants them: which are shown, in what order, how wide, and how many stay while
/// the others scroll. A right click on the heading offers that; the settings keep it, by the columns' names.
class HeaderColumns : public QObject {
  Q_OBJECT

 public:
  /// Lives as long as the header, which has its model and its first widths. Without a key nothing is kept.
  HeaderColumns(QHeaderView* header, QString key);

  /// Gives the header's model other columns; new ones stand behind the others, shown unless they are extra.
  void changeColumns(const std::function<void()>& change);
  void setShown(int section, bool isShown);
  /// Sections from the left, of those that are shown, that do not scroll. Only of a table that can do so.
  void setPinned(int sections);
  int pinned() const { return m_pinned; }
  void allowPinning() { m_mayPin = true; }
  /// As they were before anybody changed them.
  void reset();
  /// Further entries of the menu, for the section that was clicked; -1 for none.
  void setMore(std::function<void(QMenu&, int section)> more) { m_more = std::move(more); }
  void fill(QMenu& menu, int section);

 Q_SIGNALS:
  /// A column is shown that was not, or the other way round.
  void shownChanged();
  void pinnedChanged(int sections);

 private:
  struct Column {
    QString name;
    int width = 0;
    bool isShown = true;
  };
  QString nameOf(int section) const;
  QString titleOf(int section) const;
  bool isExtra(int section) const;
  int sectionOf(const QString& name) const;
  /// As they stand from the left; before anything was applied, those that are extra count as hidden.
  std::vector<Column> current() const;
  void apply(const std::vector<Column>& columns, int pinned);
  void restore();
  void save() const;
  bool isLastShown(int section) const;
  void addPinning(QMenu& menu, int section);
  void addFitting(QMenu& menu, int section);
  void openMenu(const QPoint& position);

  QHeaderView* m_header;
  const QString m_key;
  std::vector<Column> m_first;  // as they are given, in the order of the sections
  bool m_isKnown = false;       // what is hidden is so because somebody wants it
  std::function<void(QMenu&, int section)> m_more;
  int m_pinned = 0;
  bool m_mayPin = false;
  bool m_isApplying = false;
};

}  // namespace heapscape::gui
