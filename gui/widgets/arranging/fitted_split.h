// SPDX-License-Identifier: MIT
#pragma once

#include <QSplitter>

class QAbstractItemView;
class QTimer;

namespace heapscape::gui {

/// A list above something else. The list has the height that its rows want, but no more than a share of the whole
/// unless that were less than a few rows, and what is below it has the rest, until the user shares the room otherwise.
class FittedSplit : public QSplitter {
  Q_OBJECT

 public:
  /// `rows` shows the rows of `list`: it is part of it, or it is the list. `most`: of the whole, from 0 to 1.
  FittedSplit(QWidget* list, QAbstractItemView* rows, QWidget* below, double most, QWidget* parent = nullptr);

 protected:
  void resizeEvent(QResizeEvent* event) override;
  void showEvent(QShowEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void fit();
  /// Of the list with so many of its rows, if it has them; nothing while there are none to be seen.
  int heightFor(int mostRows) const;

  QWidget* m_list;
  QAbstractItemView* m_rows;
  const double m_most;
  QTimer* m_fitting;
  bool m_isUsers = false;  // who has shared the room
};

}  // namespace heapscape::gui
