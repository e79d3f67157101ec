// SPDX-License-Identifier: MIT
#pragma once

#include <QList>

class QAction;
class QWidget;

namespace heapscape::gui {

void showAbout(QWidget* window);
/// A table of what the keys do, made of the actions themselves and of what the pictures share.
void showShortcuts(QWidget* window, const QList<QAction*>& actions);

}  // namespace heapscape::gui
