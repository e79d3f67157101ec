// SPDX-License-Identifier: MIT
#pragma once

class QWidget;

namespace heapscape::gui {

/// Shows what a widget has as old: the answer to what was asked before, until the new one is here. It can be used
/// meanwhile, and keeps the focus.
void setDimmed(QWidget* widget, bool isDimmed);
bool isDimmed(QWidget* widget);

}  // namespace heapscape::gui
