// SPDX-License-Identifier: MIT
#pragma once

#include <QRectF>

class QPainter;
class QWidget;

namespace heapscape::gui {

/// Tells which legend explains a picture, or the one in a widget: the LegendChips in `legend` that are shown and, where
/// they can be switched, on. Pages of a review have them below the picture.
void setPictureLegend(QWidget* picture, QWidget* legend);

/// Height of the legend below a picture of this width; 0 where it has none.
double pictureLegendHeight(const QWidget& picture, double width);
/// In the colours of the picture's palette.
void paintPictureLegend(QPainter& painter, QWidget& picture, const QRectF& room);

}  // namespace heapscape::gui
