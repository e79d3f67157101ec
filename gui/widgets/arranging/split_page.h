// SPDX-License-Identifier: MIT
#pragma once

#include <QSplitter>
#include <QTabBar>
#include <QTabWidget>
#include <QWidget>
#include <functional>
#include <utility>
#include <vector>

class QAbstractItemView;
class QTimer;

namespace heapscape::gui {

/// Shows the tab of a page, or hides it. QTabBar, told again what it knows of one tab, forgets that it has yet to close
/// the gap of another.
inline void setTabShown(QTabWidget& tabs, QWidget* page, bool isShown) {
  const int tab = tabs.indexOf(page);
  if (tabs.isTabVisible(tab) != isShown) tabs.setTabVisible(tab, isShown);
}

/// Parts that stand together where there is room, and else one at a time, by the tabs of this bar. It stands above
/// them, and is hidden while all are shown.
class PartTabs : public QTabBar {
  Q_OBJECT

 public:
  explicit PartTabs(const QString& name, QWidget* parent = nullptr);

  /// `widgets` are shown for it; one may belong to several parts.
  void addPart(const QString& title, std::vector<QWidget*> widgets);
  /// To be told by whoever knows the room.
  void setOneAtATime(bool isOneAtATime);

 private:
  void showParts();

  std::vector<std::vector<QWidget*>> m_parts;
  bool m_isOneAtATime = false;
};

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
  /// Height of the list with so many of its rows, if it has them; nothing while there are none to be seen.
  int heightFor(int mostRows) const;

  QWidget* m_list;
  QAbstractItemView* m_rows;
  const double m_most;
  QTimer* m_fitting;
  bool m_isUsers = false;  // who has shared the room
};

/// A head, if there is one, and below it two parts: side by side where there is room for both, else one above the
/// other.
class SplitPage : public QWidget {
  Q_OBJECT

 public:
  /// How the room is shared until the user shares it otherwise.
  struct Shares {
    int besideFrom = 0;   // width in characters from which the parts stand side by side
    double beside = 0.5;  // of the first part
    double above = 0.5;
  };
  /// Pixels that the first and the second part need side by side.
  using Needs = std::function<std::pair<int, int>()>;

  SplitPage(QWidget* head, QWidget* first, QWidget* second, Shares shares, QWidget* parent = nullptr);

  /// The parts stand side by side only where both have what they need, which may change.
  void setNeeds(Needs needs) { m_needs = std::move(needs); }

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  Shares m_shares;
  Needs m_needs;
  QSplitter* m_split;
  bool m_isArranged = false;  // the parts have their first sizes
};

}  // namespace heapscape::gui
