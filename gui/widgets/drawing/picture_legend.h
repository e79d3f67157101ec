// SPDX-License-Identifier: MIT
#pragma once

#include <QRectF>
#include <functional>

class QPainter;
class QWidget;

namespace heapscape::gui {

/// Tells which legend explains a picture, or the one in a widget: the LegendChips in `legend` that are shown and, where
/// they can be switched, on. Pages of a review have them below the picture.
void setPictureLegend(QWidget* picture, QWidget* legend);

/// What else belongs below a picture on a page of a review, above its legend and as wide as the picture.
struct PictureFoot {
  std::function<double(double width)> height;  // 0 for none
  std::function<void(QPainter&, const QRectF& room)> paint;
};
void setPictureFoot(QWidget* picture, const PictureFoot& foot);

/// Height of the foot and the legend below a picture of this width; 0 where it has neither.
double heightBelowPicture(const QWidget& picture, double width);
/// Foot and legend, in the colours of the picture's palette.
void paintBelowPicture(QPainter& painter, QWidget& picture, const QRectF& room);

}  // namespace heapscape::gui
