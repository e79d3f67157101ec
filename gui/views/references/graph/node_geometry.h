// SPDX-License-Identifier: MIT
#pragma once

#include <QFontMetricsF>
#include <QRectF>

#include "views/references/graph/graph_picture.h"
#include "views/references/graph/node_text.h"
#include "widgets/graph_layout/graph_layout.h"

namespace heapscape::gui {

/// Where the parts of a node are, from its top left corner. What a kind of node does not have is empty.
struct NodeGeometry {
  QSizeF size;
  QRectF card;
  QRectF title, line, figures, bar;
  QRectF holders, held;  // the handles that open and fold both sides: where clicks count
};

class NodeMetrics {
 public:
  explicit NodeMetrics(const QFont& font);

  NodeGeometry geometryOf(const GraphNode& node, const NodeText& text) const;
  double columnGap() const { return m_letter * 15; }
  double rowGap() const { return 12; }
  /// Room for the name of an edge.
  double labelWidth() const { return columnGap() - 20; }
  double lineHeight() const { return m_line; }

 private:
  NodeGeometry cardOf(const GraphNode& node) const;
  NodeGeometry pillOf(const NodeText& text) const;

  QFontMetricsF m_bold;
  double m_letter, m_line, m_handle;
};

/// What Graphviz has to lay out: columns follow from the distance to the middle.
LayoutRequest layoutRequest(const GraphPicture& picture, const std::vector<NodeGeometry>& nodes,
                            const NodeMetrics& metrics);

}  // namespace heapscape::gui
