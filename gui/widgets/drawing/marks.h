// SPDX-License-Identifier: MIT
#pragma once

#include <QColor>
#include <QPoint>
#include <QRectF>
#include <QSizeF>
#include <vector>

class QPainter;
class QWidget;

namespace heapscape::gui {

/// How a seam is sewn: dashes with gaps between them, within what it is on, so that it reads neither as an outline nor
/// as a gap.
inline constexpr double kSeamWidth = 2;
inline constexpr double kSeamInset = 2;
inline constexpr double kSeamDash = 2.5;
inline constexpr double kSeamGap = 2;

/// A dash: where it starts along a line, and how long it is.
struct SeamDash {
  double start = 0;
  double length = 0;
};

/// The dashes from one end of a line to the other, both ends with a dash: none is cut off, as vector files know no
/// clipping. None where the line is too short for one.
std::vector<SeamDash> seamDashes(double length);

/// The dashes below the upper edge of a part and within it. None in a part too small to have any of itself left around
/// them.
std::vector<QRectF> seamAlong(const QRectF& part);

/// Sews them in one piece.
void paintSeam(QPainter& painter, const QRectF& part, const QColor& colour);

/// An arrow to the right, as wide as the room: what a reference has in place of the square of other fields.
void paintReferenceMark(QPainter& painter, const QRectF& room, const QColor& colour);

/// A pin that keeps an object in place stands at its start: a head with a point down, on the lower edge of what it is
/// in.
inline constexpr QSizeF kPinMarkSize{7, 10};
/// `foot`: where its point is. `ground` keeps it apart from what it stands on.
void paintPinMark(QPainter& painter, const QPointF& foot, const QColor& colour, const QColor& ground);

/// Paints what a sentence about something that went wrong stands on: the rounded ground of the whole widget, with the
/// sign of a warning at a point of it, `side` pixels square.
void paintWarningGround(QWidget& widget, const QPoint& sign, int side);

struct Colours;

/// Padding, drawn as lines and not as a brush: crisp at every scale, and lines stay lines in an SVG.
void paintHatch(QPainter& painter, const QRectF& rect, const Colours& colours);

/// Text where it would stand on dots, which nobody can read: they are left out behind it. An invalid `plate`: there are
/// none.
void paintOnPlate(QPainter& painter, const QRectF& room, int flags, const QString& text, const QColor& plate);

/// `share` of a colour on a ground.
QColor mixed(const QColor& colour, const QColor& ground, double share);

}  // namespace heapscape::gui
