// SPDX-License-Identifier: MIT
#pragma once

#include <QPolygonF>
#include <QRectF>
#include <QSizeF>
#include <functional>
#include <optional>
#include <vector>

#include "views/threads/waits.h"

namespace heapscape::gui {

/// Sizes that follow from the font and the texts.
struct WaitsScale {
  double line = 20;     // height of a title or a lock
  double detail = 16;   // of a line below the title
  double width = 180;   // of a box, at least
  double gap = 12;      // between boxes of a column
  double between = 64;  // columns, with room for arrows
  double lane = 10;     // between arrows side by side
  double margin = 12;
  QSizeF room = {};  // that there is to see; what is more than that high goes on beside itself where it is wide enough
  std::function<double(const WaitNode&)> contentWidth = {};  // of what is in a box; none: it fits
  std::function<double(std::size_t)> cycleTitleWidth = {};   // the same for what stands above a deadlock
};

struct WaitBox {
  QRectF box;
  QRectF title;
  std::vector<QRectF> lines;  // inside the box
  std::vector<QRectF> locks;
  std::size_t column = 0;
};

/// From a node to what it waits for.
struct WaitArrow {
  std::size_t from = 0;
  std::size_t to = 0;
  QPolygonF line;  // its last point is the tip
  bool isInCycle = false;
};

struct WaitsGeometry {
  std::vector<WaitBox> boxes;  // one a node, same order
  std::vector<WaitArrow> arrows;
  std::vector<QRectF> cycleTitles;  // one a deadlock: above its first node
  QSizeF size;
};

/// Who waits for nobody, or in a circle, stands in the first column; who waits for one of these in the second, and so
/// on. Boxes never overlap; those of a column are equally wide; threads that wait for the same one stand together.
WaitsGeometry layOutWaits(const Waits& waits, const WaitsScale& scale);

/// What lies at a point: a node, and perhaps one of its locks.
struct WaitSpot {
  std::size_t node = 0;
  std::optional<std::size_t> lock;
  bool operator==(const WaitSpot&) const = default;
};
std::optional<WaitSpot> waitSpotAt(const WaitsGeometry& geometry, QPointF point);

}  // namespace heapscape::gui
