// SPDX-License-Identifier: MIT
#pragma once

#include <QApplication>
#include <QMenu>
#include <QTimer>

namespace heapscape::gui::test {

/// Does what opens a menu, and picks an entry of it; false if there is no menu, or none of that name in it.
template <class Open>
bool chooseFromMenu(const Open& open, const QString& title) {
  bool isFound = false;
  QTimer::singleShot(0, qApp, [&] {
    auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
    if (!menu) return;
    for (QAction* action : menu->actions()) {
      if (action->text() != title) continue;
      isFound = true;
      action->trigger();
      break;
    }
    menu->close();
  });
  open();
  return isFound;
}

}  // namespace heapscape::gui::test
