// SPDX-License-Identifier: MIT
#pragma once

class QColor;
class QPainter;
class QRectF;

namespace heapscape::gui {

/// An arrow to the right, as wide as the room: what a reference has in place of the square of other fields.
void paintReferenceMark(QPainter& painter, const QRectF& room, const QColor& colour);

}  // namespace heapscape::gui
