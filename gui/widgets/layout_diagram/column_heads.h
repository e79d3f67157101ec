// SPDX-License-Identifier: MIT
#pragma once

#include <QFont>
#include <QPalette>
#include <QRectF>
#include <vector>

#include "widgets/layout_diagram/diagram_column.h"

class QPainter;

namespace heapscape::gui {

/// Height that the heads of these columns need: title, figure and the most facts that one of them has.
double columnHeadHeight(const std::vector<DiagramColumn>& columns, const QFont& font);
/// Width that no text of a head is cut at.
double columnHeadWidth(const std::vector<DiagramColumn>& columns, const QFont& font);

/// The title, the figure and the facts of a column, from the top of `rect` on; what does not fit is shortened.
void paintColumnHead(QPainter& painter, const QRectF& rect, const DiagramColumn& column, const QFont& font,
                     const QPalette& palette);

}  // namespace heapscape::gui
