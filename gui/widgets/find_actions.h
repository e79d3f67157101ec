// SPDX-License-Identifier: MIT
#pragma once

#include <functional>

class QWidget;

namespace heapscape::gui {

/// F3 and Shift+F3 in the window of a part that is shown, as actions of its own, so that the sheet of shortcuts has
/// them. `step`: 1 for the next match, -1 for the one before.
void addFindActions(QWidget* part, std::function<void(int step)> find);

}  // namespace heapscape::gui
