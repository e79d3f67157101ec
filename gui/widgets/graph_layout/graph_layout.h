// SPDX-License-Identifier: MIT
#pragma once

#include <QPointF>
#include <QRectF>
#include <QSizeF>
#include <cstdint>
#include <optional>
#include <vector>

namespace heapscape::gui {

/// Arrows lead from left to right. Where they go round in circles, some lead back.
struct LayoutArrow {
  std::uint32_t from = 0, to = 0;  // index of the box
  bool isRanked = true;            // whether it takes part in putting `to` to the right of `from`
};

/// Boxes of known size and the arrows between them.
struct LayoutRequest {
  std::vector<QSizeF> boxes;
  std::vector<LayoutArrow> arrows;
  double columnGap = 64;
  double rowGap = 12;
};

struct GraphLayout {
  std::vector<QRectF> boxes;                 // index: as asked
  std::vector<std::vector<QPointF>> arrows;  // Bézier curves in a row: a start, and three points more for each
  QRectF bounds;
};

/// Places the boxes with Graphviz' dot: boxes that stand earlier in the list tend to be further up. Nothing if it
/// fails. Takes tens of milliseconds for a hundred boxes, cannot be stopped, and must run on one thread at a time: ask
/// it through the bridge.
std::optional<GraphLayout> layOutGraph(const LayoutRequest& request);

}  // namespace heapscape::gui
