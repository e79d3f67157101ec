// SPDX-License-Identifier: MIT
#pragma once

#include <QPolygonF>
#include <QRectF>
#include <QSizeF>
#include <optional>
#include <vector>

#include "views/threads/waits.h"

namespace heapscape::gui {

/// Sizes that follow from the font.
struct WaitsScale {
  double line = 20;     // height of a line of text
  double width = 180;   // of a thread's box
  double gap = 12;      // between boxes of a column
  double between = 64;  // columns, with room for arrows
  double lane = 10;     // between arrows side by side
  double margin = 12;
};

struct WaitBox {
  QRectF box;
  QRectF title;
  std::vector<QRectF> locks;  // inside the box
  std::size_t column = 0;
};

/// From a thread to what it waits for.
struct WaitArrow {
  std::size_t from = 0;
  std::size_t to = 0;
  QPolygonF line;  // its last point is the tip
  bool isInCycle = false;
};

struct WaitsGeometry {
  std::vector<WaitBox> boxes;  // one a thread, same order
  std::vector<WaitArrow> arrows;
  std::vector<QRectF> cycleTitles;  // one a deadlock: above its first thread
  QSizeF size;
};

/// Who waits for nobody, or in a circle, stands in the first column; who waits for one of these in the second, and so
/// on. Boxes never overlap; threads that wait for the same one stand together.
WaitsGeometry layOutWaits(const Waits& waits, const WaitsScale& scale);

/// What lies at a point: a thread, and perhaps one of its locks.
struct WaitSpot {
  std::size_t thread = 0;
  std::optional<std::size_t> lock;
  bool operator==(const WaitSpot&) const = default;
};
std::optional<WaitSpot> waitSpotAt(const WaitsGeometry& geometry, QPointF point);

}  // namespace heapscape::gui
