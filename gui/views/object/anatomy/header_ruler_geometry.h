// SPDX-License-Identifier: MIT
#pragma once

#include <QPointF>
#include <QRectF>
#include <QSizeF>
#include <cstdint>
#include <vector>

#include "heap/object_header.h"

namespace heapscape::gui {

/// Sizes in device-independent pixels that the bits of a header are laid out with.
struct RulerMetrics {
  double width = 900;
  double cellHeight = 32;
  double numberHeight = 18;  // of the bits' numbers above them
  double lineHeight = 22;    // of the names below
  double margin = 12;
  double gap = 8;  // between names
};

/// Some bits of one meaning: their cells touch, a line leads from their middle to their name.
struct RulerGroup {
  QRectF cells;
  QRectF label;
  QPointF from;  // of the line
  QPointF to;
  bool isBeside = false;  // the name stands beside the line's end, not below it
};

struct RulerGeometry {
  std::vector<QRectF> bits;        // by bit, 0 to 31; bit 31 on the left
  std::vector<RulerGroup> groups;  // as given
  QSizeF size;
};

/// `labelWidths`: by group, highest bits first. A name stands under its bits, or beside a line from them where it is
/// wider; names and lines never meet.
RulerGeometry layOutRuler(const std::vector<engine::HeaderBits>& groups, const std::vector<double>& labelWidths,
                          const RulerMetrics& metrics);

}  // namespace heapscape::gui
