// SPDX-License-Identifier: MIT
#include "views/references/graph/graph_canvas.h"

#include <QAction>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QScrollBar>
#include <QVariantAnimation>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

#include "views/references/graph/overview_hint.h"
#include "widgets/drawing/colours.h"
#include "widgets/drawing/picture_actions.h"
#include "widgets/motion.h"

// Items of the graph for screen readers: nodes and arrows, one after the other.

namespace heapscape::gui {

namespace {

constexpr double kLeastZoom = 0.05;
constexpr double kMostZoom = 4;
constexpr double kLegibleZoom = 0.75;
constexpr double kGraphCanvasZoomStep = 1.25;
constexpr double kWheelNotch = 120;
constexpr double kMargin = 24;   // around the picture
constexpr int kPulledAway = 40;  // pixels: an arrow that is let go further away is cut

}  // namespace

GraphCanvas::GraphCanvas(QWidget* parent)
    : QGraphicsView(parent),
      PictureItems(this),
      m_motion(new QVariantAnimation(this)),
      m_overview(new OverviewHint(this)) {
  setObjectName(u"referenceGraph"_s);
  setAccessibleName(u"Reference graph"_s);
  setScene(new QGraphicsScene(this));
  scene()->setItemIndexMethod(QGraphicsScene::NoIndex);  // there are some hundred items, and they move
  setFrameShape(QFrame::NoFrame);
  setRenderHint(QPainter::Antialiasing);
  setTransformationAnchor(QGraphicsView::NoAnchor);
  setResizeAnchor(QGraphicsView::AnchorViewCenter);
  // The overview says where one is.
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setDragMode(QGraphicsView::ScrollHandDrag);
  viewport()->setCursor(Qt::ArrowCursor);
  setMouseTracking(true);
  viewport()->setMouseTracking(true);
  connect(m_overview, &OverviewHint::placePicked, this, [this](QPointF place) {
    m_isFitted = false;
    centerOn(place);
  });
  updateGround();
}

void GraphCanvas::clear() {
  m_motion->stop();
  m_nodes.clear();
  m_arrows.clear();
  m_edges.clear();
  m_back.clear();
  m_pulled.reset();
  m_picked = m_hovered = nullptr;
  m_pickedEdge.reset();
  scene()->clear();
  updateOverview();
}

void GraphCanvas::show(const GraphItems& items, const GraphLayout& layout, const GraphNodeKey& anchor) {
  const std::vector<NodeItem*>& nodes = items.nodes;
  const std::vector<EdgeItem*>& edges = items.edges;
  std::map<GraphNodeKey, QPointF> before;
  for (const NodeItem* node : m_nodes) before.emplace(node->node().key, node->pos());
  const NodeItem* oldAnchor = find(anchor);
  const QPoint anchored = oldAnchor ? mapFromScene(oldAnchor->pos()) : QPoint();
  const bool wasEmpty = m_nodes.empty() || !oldAnchor;
  const std::optional<GraphNodeKey> picked = m_picked ? std::optional(m_picked->node().key) : std::nullopt;
  clear();
  m_nodes = nodes;
  m_arrows = edges;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    nodes[i]->setPos(layout.boxes[i].topLeft());
    scene()->addItem(nodes[i]);
  }
  for (EdgeItem* edge : edges) {
    m_edges.push_back(edge);
    if (!edge->edge().text.isEmpty()) m_edges.push_back(new EdgeLabel(*edge, *this));
  }
  for (QGraphicsItem* edge : m_edges) scene()->addItem(edge);
  m_back = items.back;
  for (const GraphItems::Back& back : m_back) {
    back.item->setVisible(false);
    scene()->addItem(back.item);
  }
  // Room all around, so that any part can be dragged into the middle.
  const QSizeF room = mapToScene(viewport()->rect()).boundingRect().size();
  m_bounds = layout.bounds;
  scene()->setSceneRect(m_bounds.adjusted(-room.width() / 2, -room.height() / 2, room.width() / 2, room.height() / 2));
  if (picked) pick(find(*picked));
  if (wasEmpty) {
    fitLegibly();
  } else if (const NodeItem* node = find(anchor)) {
    scrollBy(mapFromScene(node->pos()) - anchored);
    moveNodes(before, layout);
  }
  tellItemsChanged();
  updateOverview();
}

/// Where a node was goes over into where it is; what is new comes up with the arrows.
void GraphCanvas::moveNodes(const std::map<GraphNodeKey, QPointF>& before, const GraphLayout& layout) {
  if (!m_isAnimated) return;
  std::vector<QPointF> from;
  for (std::size_t i = 0; i < m_nodes.size(); ++i) {
    const auto old = before.find(m_nodes[i]->node().key);
    from.push_back(old == before.end() ? layout.boxes[i].topLeft() : old->second);
    m_nodes[i]->setOpacity(old == before.end() ? 0 : 1);
  }
  for (QGraphicsItem* edge : m_edges) edge->setOpacity(0);
  m_motion->disconnect(this);
  connect(m_motion, &QVariantAnimation::valueChanged, this, [this, from, layout](const QVariant& value) {
    const double share = value.toDouble();
    for (std::size_t i = 0; i < m_nodes.size(); ++i) {
      m_nodes[i]->setPos(from[i] + (layout.boxes[i].topLeft() - from[i]) * share);
      m_nodes[i]->setOpacity(std::max(m_nodes[i]->opacity(), share));
    }
    for (QGraphicsItem* edge : m_edges) edge->setOpacity(share);
  });
  connect(m_motion, &QVariantAnimation::finished, this, &GraphCanvas::updateOverview);
  m_motion->setDuration(motionMs(*this));
  m_motion->setStartValue(0.0);
  m_motion->setEndValue(1.0);
  m_motion->start();
}

void GraphCanvas::mark(const CutMarks& marks) {
  for (std::size_t i = 0; i < m_nodes.size(); ++i) m_nodes[i]->setFreed(i < marks.freed.size() ? marks.freed[i] : 0);
  for (std::size_t i = 0; i < m_arrows.size(); ++i) m_arrows[i]->setCut(i < marks.isCut.size() && marks.isCut[i]);
}

NodeItem* GraphCanvas::find(const GraphNodeKey& key) const {
  const auto found = std::ranges::find_if(m_nodes, [&](const NodeItem* node) { return node->node().key == key; });
  return found == m_nodes.end() ? nullptr : *found;
}

void GraphCanvas::pick(const NodeItem* node) {
  pickEdge(std::nullopt);
  m_picked = nullptr;
  for (NodeItem* each : m_nodes) {
    each->setPicked(each == node);
    if (each == node) m_picked = each;
  }
}

void GraphCanvas::scrollBy(QPoint pixels) {
  horizontalScrollBar()->setValue(horizontalScrollBar()->value() + pixels.x());
  verticalScrollBar()->setValue(verticalScrollBar()->value() + pixels.y());
}

void GraphCanvas::setZoom(double zoom, QPoint fixed) {
  const double wanted = std::clamp(zoom, kLeastZoom, kMostZoom);
  const QPointF under = mapToScene(fixed);
  scale(wanted / this->zoom(), wanted / this->zoom());
  scrollBy(mapFromScene(under) - fixed);
  m_isFitted = false;
  updateOverview();
  Q_EMIT zoomChanged(this->zoom());
}

QPoint GraphCanvas::focusPoint() const {
  const QPoint picked = m_picked ? mapFromScene(m_picked->sceneBoundingRect().center()) : QPoint(-1, -1);
  return viewport()->rect().contains(picked) ? picked : viewport()->rect().center();
}

void GraphCanvas::zoomBy(double factor) {
  setZoom(zoom() * factor, focusPoint());
}

void GraphCanvas::zoomToNormal() {
  setZoom(1, focusPoint());
}

void GraphCanvas::fit() {
  fitDownTo(kLeastZoom);
}

void GraphCanvas::finishMotion() {
  if (m_motion->state() == QAbstractAnimation::Running) m_motion->setCurrentTime(m_motion->duration());
}

void GraphCanvas::fitLegibly() {
  finishMotion();
  fitDownTo(kLegibleZoom);
  if (const NodeItem* node = m_picked ? m_picked : m_nodes.empty() ? nullptr : m_nodes.front()) showNode(*node);
}

void GraphCanvas::fitDownTo(double leastZoom) {
  if (m_nodes.empty()) return;
  const QRectF bounds = m_bounds.adjusted(-kMargin, -kMargin, kMargin, kMargin);
  const QSizeF room = viewport()->size();
  // Never larger than life: a single card should not fill the window.
  const double wanted = std::min({1.0, room.width() / bounds.width(), room.height() / bounds.height()});
  setZoom(std::max(leastZoom, wanted), viewport()->rect().center());
  centerOn(bounds.center());
  m_isFitted = true;
}

void GraphCanvas::showNode(const NodeItem& node) {
  ensureVisible(node.sceneBoundingRect(), static_cast<int>(kMargin), static_cast<int>(kMargin));
}

void GraphCanvas::paintAll(QPainter& painter, const QRectF& target) {
  finishMotion();
  scene()->render(&painter, target, m_bounds, Qt::KeepAspectRatio);
}

NodeItem* GraphCanvas::nodeAt(QPoint position) const {
  const QPointF point = mapToScene(position);
  for (NodeItem* node : m_nodes) {
    if (node->partAt(node->mapFromScene(point)) != NodePart::None) return node;
  }
  return nullptr;
}

std::optional<std::size_t> GraphCanvas::edgeAt(QPoint position) const {
  const QPointF point = mapToScene(position);
  // A name is easier to hit than its arrow.
  for (std::size_t i = 0; i < m_arrows.size(); ++i) {
    if (m_arrows[i]->labelRect().contains(point)) return i;
  }
  for (std::size_t i = 0; i < m_arrows.size(); ++i) {
    if (m_arrows[i]->shape().contains(point)) return i;
  }
  return std::nullopt;
}

NodePart GraphCanvas::partAt(const NodeItem& node, QPoint position) const {
  return node.partAt(node.mapFromScene(mapToScene(position)));
}

void GraphCanvas::press(NodeItem& node, NodePart part) {
  if (part == NodePart::Holders || part == NodePart::Held) {
    Q_EMIT sideToggled(node, part == NodePart::Held ? engine::Direction::Held : engine::Direction::Holders);
    return;
  }
  pick(&node);
  Q_EMIT nodePicked(node, false);
}

void GraphCanvas::pickByKey(NodeItem& node) {
  pick(&node);
  showNode(node);
  showBack(&node);
  tellCurrent();
  Q_EMIT nodePicked(node, true);
}

void GraphCanvas::mousePressEvent(QMouseEvent* event) {
  NodeItem* node = nodeAt(event->position().toPoint());
  if (event->button() == Qt::LeftButton && node) {
    press(*node, partAt(*node, event->position().toPoint()));
    return;
  }
  if (const auto edge = event->button() == Qt::LeftButton ? edgeAt(event->position().toPoint()) : std::nullopt) {
    m_pulled = edge;
    m_pulledFrom = event->position().toPoint();
    pickEdge(edge);
    return;
  }
  m_isDragging = event->button() == Qt::LeftButton;
  QGraphicsView::mousePressEvent(event);
}

void GraphCanvas::endPull(bool isCut) {
  if (!m_pulled) return;
  const std::size_t edge = *m_pulled;
  m_pulled.reset();
  m_arrows[edge]->setPull({});
  if (isCut) Q_EMIT edgePulledAway(edge);
}

void GraphCanvas::showBack(const NodeItem* node) {
  for (const GraphItems::Back& back : m_back)
    back.item->setVisible(node && (m_nodes[back.from] == node || m_nodes[back.to] == node));
}

void GraphCanvas::mouseReleaseEvent(QMouseEvent* event) {
  if (m_pulled && event->button() == Qt::LeftButton) {
    endPull((event->position().toPoint() - m_pulledFrom).manhattanLength() >= kPulledAway);
    return;
  }
  m_isFitted = m_isFitted && !m_isDragging;
  m_isDragging = false;
  QGraphicsView::mouseReleaseEvent(event);
  hover(event->position().toPoint());
}

void GraphCanvas::mouseDoubleClickEvent(QMouseEvent* event) {
  NodeItem* node = nodeAt(event->position().toPoint());
  if (!node) {
    QGraphicsView::mouseDoubleClickEvent(event);
    return;
  }
  if (partAt(*node, event->position().toPoint()) == NodePart::Card) {
    Q_EMIT nodeActivated(*node, false);
  } else {
    press(*node, partAt(*node, event->position().toPoint()));  // two quick clicks on a handle
  }
}

void GraphCanvas::mouseMoveEvent(QMouseEvent* event) {
  if (m_pulled) {
    const QPoint way = event->position().toPoint() - m_pulledFrom;
    m_arrows[*m_pulled]->setPull(way.manhattanLength() >= kPulledAway / 4 ? QPointF(way) / zoom() : QPointF());
    return;
  }
  QGraphicsView::mouseMoveEvent(event);
  if (!m_isDragging) hover(event->position().toPoint());
}

void GraphCanvas::hover(QPoint position) {
  NodeItem* node = nodeAt(position);
  if (m_hovered && m_hovered != node) m_hovered->setHovered(NodePart::None);
  if (m_hovered != node) showBack(node);
  m_hovered = node;
  if (node) node->setHovered(partAt(*node, position));
  viewport()->setCursor(node ? Qt::PointingHandCursor : Qt::ArrowCursor);
}

void GraphCanvas::leaveEvent(QEvent* event) {
  QGraphicsView::leaveEvent(event);
  if (m_hovered) m_hovered->setHovered(NodePart::None);
  m_hovered = nullptr;
  showBack(nullptr);
}

void GraphCanvas::wheelEvent(QWheelEvent* event) {
  const QPoint turned = event->angleDelta();
  if (turned.y() == 0) {
    event->ignore();
    return;
  }
  setZoom(zoom() * std::pow(kGraphCanvasZoomStep, turned.y() / kWheelNotch), event->position().toPoint());
  event->accept();
}

void GraphCanvas::goTowards(int key) {
  std::vector<QRectF> boxes;
  for (const NodeItem* node : m_nodes) boxes.push_back(node->sceneBoundingRect());
  const auto from = std::ranges::find(m_nodes, m_picked);
  const auto to = from == m_nodes.end()
                      ? (m_nodes.empty() ? std::nullopt : std::optional<std::size_t>(0))
                      : nearestNode(boxes, static_cast<std::size_t>(from - m_nodes.begin()), static_cast<Qt::Key>(key));
  if (!to) return;
  pickByKey(*m_nodes[*to]);
}

void GraphCanvas::keyPressEvent(QKeyEvent* event) {
  switch (event->key()) {
    case Qt::Key_Left:
    case Qt::Key_Right:
    case Qt::Key_Up:
    case Qt::Key_Down:
      goTowards(event->key());
      return;
    case Qt::Key_Plus:
    case Qt::Key_Equal:
      zoomBy(kGraphCanvasZoomStep);
      return;
    case Qt::Key_Minus:
      zoomBy(1 / kGraphCanvasZoomStep);
      return;
    case Qt::Key_0:
      zoomToNormal();
      return;
    case Qt::Key_F:
      fit();
      return;
    case Qt::Key_Return:
    case Qt::Key_Enter:
      if (const auto item = currentItem()) pressItem(*item);
      return;
    case Qt::Key_PageUp:
      step(-1);
      return;
    case Qt::Key_PageDown:
      step(1);
      return;
    case Qt::Key_Escape:
      if (m_pulled) return endPull(false);
      if (!takesKey(event->key())) QGraphicsView::keyPressEvent(event);
      return;
    case Qt::Key_Space:
      if (m_picked) Q_EMIT centreWanted(*m_picked);
      return;
    default:
      if (!takesKey(event->key())) QGraphicsView::keyPressEvent(event);
  }
}

void GraphCanvas::contextMenuEvent(QContextMenuEvent* event) {
  const bool isByKey = event->reason() == QContextMenuEvent::Keyboard;
  if (isByKey && m_pickedEdge) {
    openEdgeMenu(*m_pickedEdge);
    return;
  }
  NodeItem* node = isByKey ? m_picked : nodeAt(event->pos());
  if (!node && !isByKey) {
    if (const auto edge = edgeAt(event->pos())) {
      Q_EMIT edgeMenuWanted(*edge, event->globalPos());
      return;
    }
  }
  if (node && node != m_picked) pickByKey(*node);
  const QPoint place =
      isByKey && node ? viewport()->mapToGlobal(mapFromScene(node->sceneBoundingRect().center())) : event->globalPos();
  Q_EMIT menuWanted(node, place);
}

void GraphCanvas::resizeEvent(QResizeEvent* event) {
  QGraphicsView::resizeEvent(event);
  // As where a bar for cuts comes in below.
  if (m_isFitted) fitLegibly();
  updateOverview();
}

void GraphCanvas::scrollContentsBy(int dx, int dy) {
  QGraphicsView::scrollContentsBy(dx, dy);
  updateOverview();
}

void GraphCanvas::updateOverview() {
  if (!m_overview) return;  // while this is being made
  std::vector<QRectF> boxes;
  for (const NodeItem* node : m_nodes) boxes.push_back(node->sceneBoundingRect());
  m_overview->show(std::move(boxes), mapToScene(viewport()->rect()).boundingRect(), viewport()->rect());
}

void GraphCanvas::updateGround() {
  setBackgroundBrush(Colours(palette()).surface());
}

void GraphCanvas::changeEvent(QEvent* event) {
  QGraphicsView::changeEvent(event);
  if (event->type() != QEvent::PaletteChange && event->type() != QEvent::StyleChange) return;
  updateGround();
  if (scene()) scene()->update();
}

void GraphCanvas::pickEdge(std::optional<std::size_t> edge) {
  m_pickedEdge = edge;
  for (std::size_t i = 0; i < m_arrows.size(); ++i) m_arrows[i]->setPicked(i == edge);
}

BubbleText GraphCanvas::itemText(std::size_t item) const {
  const auto linesOf = [](const QGraphicsItem& shown) {
    return shown.toolTip().split(QLatin1Char('\n'), Qt::SkipEmptyParts);
  };
  if (item >= m_nodes.size()) {
    QStringList lines = linesOf(*m_arrows[item - m_nodes.size()]);
    const QString title = lines.isEmpty() ? QString() : lines.takeFirst();
    return {.swatch = {}, .title = title, .facts = QStringList(u"reference"_s) + lines};
  }
  const NodeItem& node = *m_nodes[item];
  QStringList facts = linesOf(node);
  facts.removeAll(node.text().title);
  if (node.node().key.kind == GraphNodeKind::Root) facts.prepend(u"root"_s);
  return {.swatch = {}, .title = node.text().title, .facts = facts};
}

QRectF GraphCanvas::itemRect(std::size_t item) const {
  const QRectF bounds =
      item < m_nodes.size() ? m_nodes[item]->sceneBoundingRect() : m_arrows[item - m_nodes.size()]->sceneBoundingRect();
  return mapFromScene(bounds).boundingRect();
}

std::optional<std::size_t> GraphCanvas::currentItem() const {
  if (m_pickedEdge) return m_nodes.size() + *m_pickedEdge;
  const auto picked = std::ranges::find(m_nodes, m_picked);
  return picked == m_nodes.end() ? std::nullopt : std::optional(static_cast<std::size_t>(picked - m_nodes.begin()));
}

void GraphCanvas::goToItem(std::size_t item) {
  if (item < m_nodes.size()) {
    pickByKey(*m_nodes[item]);
    return;
  }
  pickEdge(item - m_nodes.size());
  ensureVisible(m_arrows[*m_pickedEdge]->sceneBoundingRect());
  tellCurrent();
}

void GraphCanvas::pressItem(std::size_t item) {
  if (item < m_nodes.size()) {
    Q_EMIT nodeActivated(*m_nodes[item], true);
  } else {
    openEdgeMenu(item - m_nodes.size());
  }
}

void GraphCanvas::openEdgeMenu(std::size_t edge) {
  const QPointF middle = itemRect(m_nodes.size() + edge).center();
  Q_EMIT edgeMenuWanted(edge, viewport()->mapToGlobal(middle.toPoint()));
}

void GraphCanvas::step(int by) {
  const auto count = static_cast<std::int64_t>(itemCount());
  if (count == 0) return;
  const auto current = currentItem();
  const std::int64_t next = current ? static_cast<std::int64_t>(*current) + by : by > 0 ? 0 : count - 1;
  if (next >= 0 && next < count) goToItem(static_cast<std::size_t>(next));
}

namespace {

constexpr double kMostPixels = 8000;  // a side; a picture of more is made smaller

}  // namespace

PictureFrame::PictureFrame(GraphCanvas& canvas, QWidget* parent) : QWidget(parent) {
  setAccessibleName(u"Reference graph"_s);
  const auto paint = [&canvas](QPainter& painter, QSize size) {
    // A review dresses the frame for paper, and what it shows has its look from the canvas.
    std::optional<PaperLook> paper;
    if (PlainPatterns::areWanted()) paper.emplace(&canvas);
    canvas.paintAll(painter, QRectF(QPointF(), size));
  };
  addPictureActions(this, paint, u"references"_s, PictureContents::Hides);
  // Ctrl+C reaches the canvas, which has the focus.
  for (QAction* action : actions()) canvas.addAction(action);
  hide();
}

void PictureFrame::fitTo(const QSizeF& picture) {
  const double scale = std::min(1.0, kMostPixels / std::max({picture.width(), picture.height(), 1.0}));
  resize((picture * scale).toSize().expandedTo({1, 1}));
}

}  // namespace heapscape::gui
