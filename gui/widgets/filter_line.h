// SPDX-License-Identifier: MIT
#pragma once

#include <functional>

class QKeyEvent;
class QLineEdit;
class QWidget;

namespace heapscape::gui {

/// Dresses the line that narrows or searches a list, and makes it known as such to the two below.
void setUpFilter(QLineEdit* line);

/// The filter of what has the focus: the one right above it on the page, or else the first of the page; null if the
/// page shows none. `focused` may be null or lie elsewhere.
QLineEdit* filterOf(QWidget* page, QWidget* focused);

/// Takes the keys of a filter: Escape clears it and goes back to its list, the down key goes there. Whether it was
/// one of them; false if `focused` is no filter.
bool leaveFilter(QWidget* focused, const QKeyEvent& key);

/// F3 and Shift+F3 in the window of a part that is shown, as actions of its own, so that the sheet of shortcuts has
/// them. `step`: 1 for the next match, -1 for the one before.
void addFindActions(QWidget* part, std::function<void(int step)> find);

}  // namespace heapscape::gui
