// SPDX-License-Identifier: MIT
#pragma once

class QWidget;

namespace heapscape::gui {

/// Offers a widget's actions where somebody asks for its menu. Other than Qt's own (Qt::ActionsContextMenu), the menu
/// may stay open longer than the widget: an answer of the engine may put another one in its place at any time.
void offerActions(QWidget* widget);

}  // namespace heapscape::gui
