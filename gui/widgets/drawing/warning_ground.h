// SPDX-License-Identifier: MIT
#pragma once

#include <QPoint>

class QWidget;

namespace heapscape::gui {

/// Paints what a sentence about something that went wrong stands on: the rounded ground of the whole widget, with the
/// sign of a warning at a point of it, `side` pixels square.
void paintWarningGround(QWidget& widget, const QPoint& sign, int side);

}  // namespace heapscape::gui
