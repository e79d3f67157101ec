// SPDX-License-Identifier: MIT
#pragma once

#include <QString>

#include "session/snapshot/snapshot.h"
#include "views/references/graph/graph_picture.h"

namespace heapscape::gui {

/// The texts of a node of the graph.
struct NodeText {
  QString title;            // "Order", "2,097 × Line", "static Shop.Statics.orders"
  QString line;             // "\"abc\"", "1,500 items", an address; what a stack retains
  QString figures;          // "64 B · retains 1.2 MB"
  QString tip;              // all of it, exactly
  bool isContents = false;  // the line: what a string or a box holds
};

NodeText textOf(const GraphNode& node, const engine::Snapshot& snapshot);

/// The field's name, as people know it; of a property's own field the property's.
QString edgeText(const GraphEdge& edge);
/// "Order.Lines → List<Line>", in full.
QString edgeTip(const GraphEdge& edge, const GraphPicture& picture, const engine::Snapshot& snapshot);

}  // namespace heapscape::gui
