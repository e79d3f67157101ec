// SPDX-License-Identifier: MIT
#pragma once

#include <QRectF>
#include <cstdint>
#include <vector>

#include "layout/layout_items.h"

namespace heapscape::gui {

/// How the elements of an array follow each other. `elementOffset` is that of the first from the array's address.
struct ArrayElements {
  std::int64_t stride = 0;
  std::int64_t elementOffset = 16;
  const engine::LayoutItems* element = nullptr;  // unboxed; null for what has no inside
};

/// How the elements fall on cache lines over and over again.
struct LineRhythm {
  std::int64_t elements = 1;    // after so many it begins anew
  std::int64_t straddling = 0;  // of those, that cross a line though they would fit into one
};
/// For an array that begins at a line; arrays are aligned to 8 only.
LineRhythm lineRhythm(const ArrayElements& elements);

struct ArrayElementBox {
  QRectF rect;
  bool straddles = false;
};

/// The first elements in a row, to scale.
struct ArrayStripGeometry {
  std::vector<ArrayElementBox> elements;
  std::vector<QRectF> paddings;
  std::vector<double> lines;  // where cache lines begin
  double byteWidth = 0;
};
/// Between four and eight elements, as many as `width` has room for at a legible size.
ArrayStripGeometry layOutArrayStrip(const ArrayElements& elements, const QRectF& room, double leastByteWidth);

}  // namespace heapscape::gui
