// SPDX-License-Identifier: MIT
#pragma once

#include <QPolygonF>
#include <QRectF>
#include <QSizeF>
#include <vector>

#include "views/object/anatomy/object_anatomy.h"

namespace heapscape::gui {

/// Sizes in device-independent pixels that the picture is laid out with.
struct ObjectAnatomyMetrics {
  double width = 900;
  double lineHeight = 20;
  double padding = 10;
  double columnGap = 48;
  double rowGap = 12;
  double margin = 12;
  std::vector<double> widths;  // of the boxes' widest lines
};

struct ObjectAnatomyGeometry {
  std::vector<QRectF> boxes;
  std::vector<QPolygonF> arrows;  // from the right edge of one to the left edge of the other
  QSizeF size;
};

/// Columns side by side, as wide as their texts where there is room, narrower where there is not.
ObjectAnatomyGeometry layOutObjectAnatomy(const ObjectAnatomy& anatomy, const ObjectAnatomyMetrics& metrics);

}  // namespace heapscape::gui
