// SPDX-License-Identifier: MIT
#pragma once

#include <QTabWidget>

namespace heapscape::gui {

/// Shows the tab of a page, or hides it. QTabBar, told again what it knows of one tab, forgets that it has yet to close
/// the gap of another.
inline void setTabShown(QTabWidget& tabs, QWidget* page, bool isShown) {
  const int tab = tabs.indexOf(page);
  if (tabs.isTabVisible(tab) != isShown) tabs.setTabVisible(tab, isShown);
}

}  // namespace heapscape::gui
