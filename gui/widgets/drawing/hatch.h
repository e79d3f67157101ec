// SPDX-License-Identifier: MIT
#pragma once

#include <QColor>
#include <QRectF>

class QPainter;

namespace heapscape::gui {

struct Colours;

/// Padding, drawn as lines and not as a brush: crisp at every scale, and lines stay lines in an SVG.
void paintHatch(QPainter& painter, const QRectF& rect, const Colours& colours);

/// Text where it would stand on dots, which nobody can read: they are left out behind it. An invalid `plate`: there are
/// none.
void paintOnPlate(QPainter& painter, const QRectF& room, int flags, const QString& text, const QColor& plate);

/// `share` of a colour on a ground.
QColor mixed(const QColor& colour, const QColor& ground, double share);

}  // namespace heapscape::gui
