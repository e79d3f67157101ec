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
  /// As wide as the names of the picture's edges want, within bounds.
  double columnGap(const GraphPicture& picture) const;
  double rowGap() const { return 12; }
  /// Room for the name of an edge.
  double labelWidth(const GraphPicture& picture) const { return columnGap(picture) - kBesideLabel; }
  double lineHeight() const { return m_line; }

 private:
  NodeGeometry cardOf(const GraphNode& node) const;
  NodeGeometry pillOf(const NodeText& text) const;

  static constexpr double kBesideLabel = 20;  // of a gap: the arrow's head

  QFontMetricsF m_bold, m_label;
  double m_letter, m_line, m_handle;
};

/// What Graphviz has to lay out: columns follow from the distance to the middle.
LayoutRequest layoutRequest(const GraphPicture& picture, const std::vector<NodeGeometry>& nodes,
                            const NodeMetrics& metrics);

}  // namespace heapscape::gui
