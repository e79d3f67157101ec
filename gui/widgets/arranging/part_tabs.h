// SPDX-License-Identifier: MIT
#pragma once

#include <QTabBar>
#include <QTabWidget>
#include <vector>

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

}  // namespace heapscape::gui
