// SPDX-License-Identifier: MIT
#include "views/references/graph/graph_items.h"

#include <QWidget>

namespace heapscape::gui {

namespace {

/// Beside the node that is further out, where arrows do not meet.
EdgeLook::TextPlace textPlaceOf(const GraphNode& from, const GraphNode& to) {
  if (from.column >= to.column) return EdgeLook::TextPlace::Middle;
  return to.column > 0 ? EdgeLook::TextPlace::AtEnd : EdgeLook::TextPlace::AtStart;
}

double shareOf(std::uint64_t bytes, std::uint64_t largest) {
  return largest == 0 ? 0 : static_cast<double>(bytes) / static_cast<double>(largest);
}

}  // namespace

GraphItems makeItems(const GraphPicture& picture, const GraphLayout& layout, const engine::Snapshot& snapshot,
                     bool showsDominators, const QWidget& look) {
  const NodeMetrics metrics(look.font());
  const double labelWidth = metrics.labelWidth(picture);
  GraphItems items;
  for (const GraphNode& node : picture.nodes) {
    const NodeText text = textOf(node, snapshot);
    items.nodes.push_back(new NodeItem(node, text, metrics.geometryOf(node, text),
                                       shareOf(node.object.retainedBytes, picture.largestRetained), look));
  }
  for (std::size_t i = 0; i < picture.edges.size(); ++i) {
    const GraphEdge& edge = picture.edges[i];
    EdgeLook arrow;
    arrow.text = edgeText(edge);
    arrow.tip = edgeTip(edge, picture, snapshot);
    arrow.isDominator = edge.isDominator && showsDominators;
    arrow.isOnPath = edge.isOnPath;
    arrow.textPlace = textPlaceOf(picture.nodes[edge.from], picture.nodes[edge.to]);
    arrow.labelWidth = labelWidth;
    items.edges.push_back(new EdgeItem(layout.arrows[i], std::move(arrow), look));
  }
  return items;
}

}  // namespace heapscape::gui
