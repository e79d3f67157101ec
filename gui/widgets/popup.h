// SPDX-License-Identifier: MIT
#pragma once

#include <QRect>
#include <QSize>

class QListWidget;
class QWidget;

namespace heapscape::gui {

/// Makes a list that lies over a window stand out from it: with an edge, and with a shadow as long as it is shown.
void setUpPopup(QListWidget* list);

/// Shows it beside a line of its window: of this size, or of what there is room for.
void showPopup(QListWidget* list, const QWidget* line, QSize wanted);

/// The place of the popup: under the line; above it where there is more room and too little below. Never over the line.
QRect popupPlace(const QRect& line, QSize wanted, QSize window);

}  // namespace heapscape::gui
