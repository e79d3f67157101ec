// SPDX-License-Identifier: MIT
#pragma once

#include <QGraphicsView>
#include <QWidget>
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "views/references/graph/graph_items.h"
#include "widgets/accessible/picture_items.h"

class QVariantAnimation;

namespace heapscape::gui {

class OverviewHint;

/// The graph on the screen: pan by drag, zoom by wheel at the pointer, arrow keys to go from node to node, Page Up and
/// Page Down through all nodes and then all arrows. What clicks mean for the graph is for others to decide.
class GraphCanvas : public QGraphicsView, public PictureItems {
  Q_OBJECT

 public:
  explicit GraphCanvas(QWidget* parent = nullptr);

  /// Replaces the picture. Nodes that were there before move to their new places; `anchor` stays where it is on the
  /// screen, if it is in both.
  void show(const GraphItems& items, const GraphLayout& layout, const GraphNodeKey& anchor);
  void clear();

  /// Shows what cuts do to the nodes and edges, in the order of show(); without any for none.
  void mark(const CutMarks& marks);
  const std::vector<EdgeItem*>& arrows() const { return m_arrows; }

  /// The node with this key; null if there is none.
  NodeItem* find(const GraphNodeKey& key) const;
  /// Marks it, without a signal. Null marks none.
  void pick(const NodeItem* node);
  NodeItem* picked() const { return m_picked; }

  void fit();
  /// Fits as fit() does, but keeps texts legible: of what is too large, the picked node's surroundings are shown.
  void fitLegibly();
  /// Zooms around what is picked, or else the middle of the view.
  void zoomBy(double factor);
  void zoomToNormal();
  double zoom() const { return transform().m11(); }
  /// Brings the node into view.
  void showNode(const NodeItem& node);
  void paintAll(QPainter& painter, const QRectF& target);
  // The nodes, and behind them the arrows.
  std::size_t itemCount() const override { return m_nodes.size() + m_arrows.size(); }
  BubbleText itemText(std::size_t item) const override;
  QRectF itemRect(std::size_t item) const override;
  std::optional<std::size_t> currentItem() const override;
  void goToItem(std::size_t item) override;
  /// Opens what is picked, as Enter does; of an arrow its menu.
  void pressItem(std::size_t item) override;

  bool isFitted() const { return m_isFitted; }

  /// Whether moves are shown as such; for tests and pictures off.
  void setAnimated(bool isAnimated) { m_isAnimated = isAnimated; }

 Q_SIGNALS:
  void nodePicked(const heapscape::gui::NodeItem& node, bool isByKey);
  /// The space bar: to be put into the middle.
  void centreWanted(const heapscape::gui::NodeItem& node);
  /// Enter or a double click.
  void nodeActivated(const heapscape::gui::NodeItem& node, bool isByKey);
  void sideToggled(const heapscape::gui::NodeItem& node, heapscape::engine::Direction direction);
  void menuWanted(const heapscape::gui::NodeItem* node, QPoint globalPosition);
  /// `edge`: its position in show().
  void edgeMenuWanted(std::size_t edge, QPoint globalPosition);
  /// An arrow was dragged away from its place; `edge`: its position in show().
  void edgePulledAway(std::size_t edge);
  void zoomChanged(double zoom);

 protected:
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void scrollContentsBy(int dx, int dy) override;
  void changeEvent(QEvent* event) override;
  void leaveEvent(QEvent* event) override;

 private:
  NodeItem* nodeAt(QPoint position) const;
  std::optional<std::size_t> edgeAt(QPoint position) const;
  NodePart partAt(const NodeItem& node, QPoint position) const;
  void press(NodeItem& node, NodePart part);
  void pickByKey(NodeItem& node);
  void pickEdge(std::optional<std::size_t> edge);
  void openEdgeMenu(std::size_t edge);
  void step(int by);
  void hover(QPoint position);
  /// Draws the arrows against the flow that touch a node; null for none.
  void showBack(const NodeItem* node);
  void endPull(bool isCut);
  void goTowards(int key);
  /// The point of the view stays over the same point of the picture.
  void setZoom(double zoom, QPoint fixed);
  QPoint focusPoint() const;
  void fitDownTo(double leastZoom);
  /// Everything is where it belongs at once.
  void finishMotion();
  void scrollBy(QPoint pixels);
  void moveNodes(const std::map<GraphNodeKey, QPointF>& before, const GraphLayout& layout);
  void updateOverview();
  void updateGround();

  std::vector<NodeItem*> m_nodes;
  std::vector<EdgeItem*> m_arrows;
  std::vector<QGraphicsItem*> m_edges;  // and their labels
  std::vector<GraphItems::Back> m_back;
  QRectF m_bounds;  // of the picture
  NodeItem* m_picked = nullptr;
  NodeItem* m_hovered = nullptr;
  std::optional<std::size_t> m_pickedEdge;  // by keys; the picked node is another one's business
  std::optional<std::size_t> m_pulled;      // by the mouse
  QPoint m_pulledFrom;
  bool m_isFitted = false;  // the picture as a whole, and so it stays whatever the size
  bool m_isDragging = false;
  bool m_isAnimated = true;
  QVariantAnimation* m_motion;
  OverviewHint* m_overview;
};

/// Never shown: has the size of the whole graph, so that copying and saving take along all of it and not what the view
/// shows of it. Its actions are Copy, Save as PNG and Save as SVG.
class PictureFrame : public QWidget {
  Q_OBJECT

 public:
  PictureFrame(GraphCanvas& canvas, QWidget* parent);

  void fitTo(const QSizeF& picture);
};

}  // namespace heapscape::gui
