// SPDX-License-Identifier: MIT
#pragma once

#include <QRectF>
#include <vector>

class QColor;
class QPainter;

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

/// From one end of a line to the other, both ends with a dash: none is cut off, as vector files know no clipping. None
/// where the line is too short for one.
std::vector<SeamDash> seamDashes(double length);

/// Below the upper edge of a part and within it. None in a part too small to have any of itself left around them.
std::vector<QRectF> seamAlong(const QRectF& part);

/// Sews them in one piece.
void paintSeam(QPainter& painter, const QRectF& part, const QColor& colour);

}  // namespace heapscape::gui
