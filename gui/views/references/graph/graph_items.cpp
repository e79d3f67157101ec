// SPDX-License-Identifier: MIT
#include "views/references/graph/graph_items.h"

#include <QPointF>
#include <QRectF>
#include <QWidget>
#include <algorithm>
#include <cmath>
#include <utility>

namespace heapscape::gui {

namespace {

/// Beside the node that is further out, where arrows do not meet.
EdgeLook::TextPlace textPlaceOf(const GraphNode& from, const GraphNode& to) {
  if (from.column >= to.column) return EdgeLook::TextPlace::Middle;
  return to.column > 0 ? EdgeLook::TextPlace::AtEnd : EdgeLook::TextPlace::AtStart;
}

/// From the upper edge of one box to that of another, above what stands between them.
std::vector<QPointF> backCurve(const QRectF& from, const QRectF& to) {
  const QPointF start(from.center().x(), from.top());
  const QPointF end(to.center().x(), to.top());
  const double rise = std::max(30.0, std::abs(end.x() - start.x()) / 6);
  return {start, start - QPointF(0, rise), end - QPointF(0, rise), end};
}

double shareOf(std::uint64_t bytes, std::uint64_t largest) {
  return largest == 0 ? 0 : static_cast<double>(bytes) / static_cast<double>(largest);
}

}  // namespace

GraphItems makeItems(const GraphPicture& picture, const GraphLayout& layout, const engine::Snapshot& snapshot,
                     bool showsFlow, const QWidget& look) {
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
    arrow.flowWidth = showsFlow ? flowWidth(edge.flowBytes, picture.largestFlow) : 0;
    arrow.isFar = edge.steps != 1;
    arrow.isOnPath = edge.isOnPath;
    arrow.textPlace = textPlaceOf(picture.nodes[edge.from], picture.nodes[edge.to]);
    arrow.labelWidth = labelWidth;
    items.edges.push_back(new EdgeItem(layout.arrows[i], std::move(arrow), look));
  }
  for (const GraphEdge& edge : picture.back) {
    EdgeLook arrow;
    arrow.tip = edgeTip(edge, picture, snapshot);
    arrow.isBack = true;
    auto* item = new EdgeItem(backCurve(layout.boxes[edge.from], layout.boxes[edge.to]), std::move(arrow), look);
    items.back.push_back({item, edge.from, edge.to});
  }
  return items;
}

}  // namespace heapscape::gui
