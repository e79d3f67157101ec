// SPDX-License-Identifier: MIT
#pragma once

#include <QFont>
#include <QPalette>
#include <QRectF>
#include <vector>

#include "widgets/layout_diagram/side_by_side_geometry.h"

class QPainter;

namespace heapscape::gui {

/// Height that the heads of these columns need: title, figure and the most facts that one of them has.
double columnHeadHeight(const std::vector<DiagramColumn>& columns, const QFont& font);
/// Width that no text of a head is cut at.
double columnHeadWidth(const std::vector<DiagramColumn>& columns, const QFont& font);
/// The title, the figure and the facts of a column, from the top of `rect` on; what does not fit is shortened.
void paintColumnHead(QPainter& painter, const QRectF& rect, const DiagramColumn& column, const QFont& font,
                     const QPalette& palette);

/// Size of a chip that holds the names of each of these columns that are chips; empty if none is.
QSizeF columnChipSize(const std::vector<DiagramColumn>& columns, const QFont& font);
/// In place of a column that comes to the same as another: its title, and that of the other.
void paintColumnChip(QPainter& painter, const QRectF& rect, const DiagramColumn& column, const QFont& font,
                     const QPalette& palette);

/// The frame around the head and the bytes of what is in force.
void paintColumnFrame(QPainter& painter, const QRectF& around, const QPalette& palette);

}  // namespace heapscape::gui
