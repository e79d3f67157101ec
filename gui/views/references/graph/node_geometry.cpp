// SPDX-License-Identifier: MIT
#include "views/references/graph/node_geometry.h"

#include <algorithm>

#include "views/references/graph/edge_item.h"
#include "widgets/text/fonts.h"

namespace heapscape::gui {

namespace {

constexpr double kPadding = 8;
constexpr double kBarHeight = 5;
constexpr double kLeastHandle = 24;
constexpr double kStackEdge = 6;     // what is seen of the cards below
constexpr double kCardLetters = 36;  // wide
constexpr double kMostPillLetters = 46;
constexpr double kGapLetters = 15;
constexpr double kMostGapLetters = 32;

}  // namespace

NodeMetrics::NodeMetrics(const QFont& font)
    : m_bold(scaledFont(font, 1, QFont::DemiBold)),
      m_label(edgeFont(font, true)),
      m_letter(QFontMetricsF(font).averageCharWidth()),
      m_line(QFontMetricsF(font).height()),
      m_handle(std::max(kLeastHandle, m_line * 1.4)) {}

NodeGeometry NodeMetrics::geometryOf(const GraphNode& node, const NodeText& text) const {
  switch (node.key.kind) {
    case GraphNodeKind::Object:
    case GraphNodeKind::Stack:
      return cardOf(node);
    case GraphNodeKind::Root:
    case GraphNodeKind::MoreTypes:
    case GraphNodeKind::MoreRoots:
    case GraphNodeKind::Gap:
      break;
  }
  return pillOf(text);
}

double NodeMetrics::columnGap(const GraphPicture& picture) const {
  double widest = 0;
  for (const GraphEdge& edge : picture.edges)
    widest = std::max(widest, m_label.horizontalAdvance(edgeText(edge)) + kEdgeLabelMargin);
  return std::clamp(widest + kBesideLabel, m_letter * kGapLetters, m_letter * kMostGapLetters);
}

NodeGeometry NodeMetrics::cardOf(const GraphNode& node) const {
  const bool isStack = node.key.kind == GraphNodeKind::Stack;
  NodeGeometry geometry;
  const double side = isStack ? 0 : m_handle / 2;  // handles stand out by one half
  const double width = m_letter * kCardLetters + (isStack ? m_handle - kStackEdge : 0);  // as wide in all
  const double height = kPadding + 3 * m_line + 6 + kBarHeight + kPadding;
  geometry.card = QRectF(side, 0, width, height);
  const double inset = kPadding + side;
  const QRectF inside(inset, kPadding, geometry.card.width() - 2 * (inset - side), m_line);
  geometry.title = inside;
  geometry.line = inside.translated(0, m_line);
  geometry.figures = inside.translated(0, 2 * m_line);
  geometry.bar = QRectF(inside.left(), geometry.figures.bottom() + 4, inside.width(), kBarHeight);
  geometry.size = QSizeF(geometry.card.width() + 2 * side, height);
  if (isStack) geometry.size += QSizeF(kStackEdge, kStackEdge);
  const QRectF handle(0, (height - m_handle) / 2, m_handle, m_handle);
  if (!isStack && node.holders != SideState::Nothing) geometry.holders = handle;
  if (!isStack && node.held != SideState::Nothing) geometry.held = handle.translated(geometry.card.width(), 0);
  if (!isStack) {  // handles cover the card's sides
    for (QRectF* part : {&geometry.title, &geometry.line, &geometry.figures, &geometry.bar})
      part->adjust(m_handle / 2 - 2, 0, -(m_handle / 2 - 2), 0);
  }
  return geometry;
}

NodeGeometry NodeMetrics::pillOf(const NodeText& text) const {
  NodeGeometry geometry;
  const double height = std::max(kLeastHandle, m_line * 1.7);
  const double wanted = m_bold.horizontalAdvance(text.title) +
                        (text.line.isEmpty() ? 0 : m_bold.horizontalAdvance(text.line) + 2 * kPadding);
  geometry.size = QSizeF(std::min(wanted, m_letter * kMostPillLetters) + height, height);
  geometry.card = QRectF({}, geometry.size);
  geometry.title = geometry.card.adjusted(height / 2, 0, -height / 2, 0);
  if (!text.line.isEmpty()) {
    const double width = m_bold.horizontalAdvance(text.line);
    geometry.line = geometry.title;
    geometry.line.setLeft(geometry.title.right() - width);
    geometry.title.setRight(geometry.line.left() - 2 * kPadding);
  }
  return geometry;
}

LayoutRequest layoutRequest(const GraphPicture& picture, const std::vector<NodeGeometry>& nodes,
                            const NodeMetrics& metrics) {
  LayoutRequest request;
  request.columnGap = metrics.columnGap(picture);
  request.rowGap = metrics.rowGap();
  for (const NodeGeometry& node : nodes) request.boxes.push_back(node.size);
  for (const GraphEdge& edge : picture.edges) {
    const bool isOnward = picture.nodes[edge.from].column < picture.nodes[edge.to].column;
    request.arrows.push_back({edge.from, edge.to, isOnward});
  }
  return request;
}

}  // namespace heapscape::gui
