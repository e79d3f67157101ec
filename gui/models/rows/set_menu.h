// SPDX-License-Identifier: MIT
#pragma once

#include <QString>
#include <functional>

#include "bridge/navigator.h"

class QMenu;

namespace heapscape::gui {

/// Takes objects as a set (PickedSets), and hands its name on, at once or later.
using TakeSet = std::function<void(std::function<void(const QString& set)> use)>;

/// Adds to a menu the links of several objects, wherever they stand together: to list them, what holds them, what they
/// dominate, and to think them away.
void addSetLinks(QMenu& menu, Navigator& navigator, TakeSet take);

}  // namespace heapscape::gui
