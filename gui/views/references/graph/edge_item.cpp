// SPDX-License-Identifier: MIT
#include "views/references/graph/edge_item.h"

#include <QLineF>
#include <QMenu>
#include <QPainter>
#include <QWidget>
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <set>
#include <utility>

#include "models/object_menu.h"
#include "views/references/graph/graph_canvas.h"
#include "views/references/graph/node_item.h"
#include "widgets/context_menu.h"
#include "widgets/drawing/colours.h"
#include "widgets/drawing/symbol_icon.h"
#include "widgets/text/figures.h"
#include "widgets/text/fonts.h"
#include "widgets/text/hidden_contents.h"

namespace heapscape::gui {
namespace {

constexpr double kHead = 8;
constexpr double kReach = 10;  // around the line, for the pointer
constexpr double kLabelGap = 5;
constexpr double kBreak = 16;  // of an arrow that is cut

QPainterPath pathOf(const std::vector<QPointF>& curve) {
  QPainterPath path(curve.front());
  for (std::size_t i = 1; i + 2 < curve.size(); i += 3) path.cubicTo(curve[i], curve[i + 1], curve[i + 2]);
  return path;
}

/// Where an arrow is cut: two short strokes across it.
void paintBreak(QPainter& painter, const QPainterPath& path, const QColor& colour) {
  painter.setPen(QPen(colour, 2.2, Qt::SolidLine, Qt::RoundCap));
  const double middle = path.length() / 2;
  for (const double place : {middle - kBreak / 2, middle + kBreak / 2}) {
    const double share = path.percentAtLength(std::clamp(place, 0.0, path.length()));
    QLineF stroke = QLineF::fromPolar(6, path.angleAtPercent(share) + 65);
    stroke.translate(path.pointAtPercent(share));
    painter.drawLine(QLineF(stroke.p1() * 2 - stroke.p2(), stroke.p2()));
  }
}

double freedOfStack(const GraphNode& stack, const GraphState& state, const engine::WhatIf& whatIf,
                    const FreedSides& sides) {
  const auto side = sides.find(stack.owner());
  const OpenSide* open = state.find(stack.owner());
  if (side == sides.end() || !open || stack.group >= open->cards.size() || stack.count == 0) return 0;
  const auto group = std::ranges::find(side->second, stack.object.type, &engine::WhatIf::FreedNeighbours::type);
  if (group == side->second.end()) return 0;
  const engine::NeighbourGroup& of = open->neighbours.groups[stack.group];
  const std::size_t cards = open->cards[stack.group];
  // Those that lie beside the stack are marked themselves.
  const auto beside = static_cast<std::uint64_t>(
      std::count_if(of.first.begin(), of.first.begin() + static_cast<std::ptrdiff_t>(std::min(cards, of.first.size())),
                    [&](const engine::Neighbour& card) { return whatIf.frees(card.object); }));
  return static_cast<double>(group->objects - std::min(group->objects, beside)) / static_cast<double>(stack.count);
}

bool isCut(const GraphNode& from, const GraphNode& to, const engine::WhatIf& whatIf) {
  if (to.key.kind != GraphNodeKind::Object) return false;
  const engine::Address object = to.key.object;
  if (from.key.kind == GraphNodeKind::Root) return whatIf.isRootCut(from.key.number);
  if (from.key.kind == GraphNodeKind::Object && whatIf.isCut(from.lastObject(), object)) return true;
  return whatIf.goes(object);
}

}  // namespace

double flowWidth(std::uint64_t bytes, std::uint64_t largest) {
  if (bytes == 0 || largest == 0) return 0;
  const double share = std::min(1.0, static_cast<double>(bytes) / static_cast<double>(largest));
  return kLeastFlow + (kMostFlow - kLeastFlow) * std::sqrt(share);
}

QFont edgeFont(const QFont& font, bool isStrong) {
  return scaledFont(font, 0.9, isStrong ? QFont::DemiBold : QFont::Normal);
}

EdgeItem::EdgeItem(const std::vector<QPointF>& curve, EdgeLook edge, const QWidget& look)
    : m_path(pathOf(curve)), m_start(curve.front()), m_end(curve.back()), m_edge(std::move(edge)), m_look(look) {
  const QPointF before = m_path.pointAtPercent(0.97);
  const double length = std::hypot(m_end.x() - before.x(), m_end.y() - before.y());
  m_direction = length > 0 ? (m_end - before) / length : QPointF(1, 0);
  // A band ends where its head begins.
  if (m_edge.flowWidth > 0 && curve.size() >= 4) {
    std::vector<QPointF> shorter = curve;
    shorter.back() -= m_direction * (headLength() - 1);
    m_path = pathOf(shorter);
  }
  setToolTip(m_edge.tip);
}

QRectF EdgeItem::labelRect() const {
  if (m_edge.text.isEmpty()) return {};
  const QFontMetricsF metrics(edgeFont(m_look.font(), m_edge.flowWidth > 0));
  QRectF area(0, 0, std::min(m_edge.labelWidth, metrics.horizontalAdvance(m_edge.text) + kEdgeLabelMargin),
              metrics.height());
  switch (m_edge.textPlace) {
    case EdgeLook::TextPlace::AtStart:
      area.moveTo(m_start.x() + kLabelGap, m_start.y() - area.height() / 2);
      break;
    case EdgeLook::TextPlace::AtEnd:
      area.moveTo(m_end.x() - headLength() - kLabelGap - area.width(), m_end.y() - area.height() / 2);
      break;
    case EdgeLook::TextPlace::Middle:
      area.moveCenter(m_path.pointAtPercent(0.5));
      break;
  }
  return area;
}

QRectF EdgeItem::boundingRect() const {
  const QRectF bounds = m_path.boundingRect() | m_path.boundingRect().translated(m_pull);
  return bounds.adjusted(-kReach, -kReach, kReach, kReach);
}

QPainterPath EdgeItem::shape() const {
  QPainterPathStroker stroker;
  stroker.setWidth(std::max(kReach, m_edge.flowWidth));
  return stroker.createStroke(m_path);
}

EdgeLabel::EdgeLabel(const EdgeItem& edge, const QWidget& look)
    : m_area(edge.labelRect()), m_text(edge.edge().text), m_isStrong(edge.edge().flowWidth > 0), m_look(look) {
  setToolTip(edge.edge().tip);
  setZValue(0.5);
}

void EdgeLabel::paint(QPainter* painter, const QStyleOptionGraphicsItem*, QWidget*) {
  painter->fillRect(m_area, Colours(m_look.palette()).surface());
  const QFont font = edgeFont(m_look.font(), m_isStrong);
  painter->setFont(font);
  painter->setPen(m_look.palette().color(m_isStrong ? QPalette::Text : QPalette::PlaceholderText));
  painter->drawText(m_area, Qt::AlignCenter | Qt::TextSingleLine,
                    QFontMetricsF(font).elidedText(stepText(m_text), Qt::ElideMiddle, m_area.width()));
}

void EdgeItem::setCut(bool isCut) {
  if (isCut == m_isCut) return;
  m_isCut = isCut;
  setToolTip(isCut ? m_edge.tip + u"\nCut: assumed not to be there"_s : m_edge.tip);
  update();
}

void EdgeItem::setPicked(bool isPicked) {
  if (isPicked == m_isPicked) return;
  m_isPicked = isPicked;
  update();
}

void EdgeItem::setPull(QPointF pull) {
  if (pull == m_pull) return;
  prepareGeometryChange();
  m_pull = pull;
  update();
}

double EdgeItem::headLength() const {
  return std::max(kHead, m_edge.flowWidth * 0.9);
}

void EdgeItem::paint(QPainter* painter, const QStyleOptionGraphicsItem*, QWidget*) {
  const Colours colours(m_look.palette());
  const bool isMarked = m_isPicked || m_edge.isOnPath || m_edge.isBack;
  const bool isFlow = m_edge.flowWidth > 0;
  const QColor colour = isMarked ? m_look.palette().color(QPalette::Highlight)
                        : isFlow ? colours.heatStep(3)
                                 : colours.outline();
  QPen pen(colour, isFlow ? m_edge.flowWidth : m_edge.isOnPath ? 2.2 : 1.3, Qt::SolidLine, Qt::FlatCap, Qt::RoundJoin);
  const auto pixels = [&](double length) { return length / pen.widthF(); };
  if (m_edge.isOnPath) pen.setDashPattern({pixels(9), pixels(4)});
  if (m_edge.isFar || m_edge.isBack) pen.setDashPattern({pixels(5), pixels(3)});
  if (m_isCut) {
    const double half = std::max(0.5, (m_path.length() - kBreak) / 2 / pen.widthF());
    pen.setDashPattern({half, kBreak / pen.widthF(), half, kBreak});
  }
  painter->save();
  painter->translate(m_pull);
  if (isPulled()) painter->setOpacity(0.5);
  painter->setPen(pen);
  painter->setBrush(Qt::NoBrush);
  painter->drawPath(m_path);
  if (m_isPicked) {
    const QPen mark = markPen(m_look.palette(), m_look.hasFocus());
    painter->setPen(QPen(mark.color(), pen.widthF() + mark.widthF()));
    painter->drawPath(m_path);
  }
  if (m_isCut || isPulled()) paintBreak(*painter, m_path, colours.warning());
  painter->setPen(Qt::NoPen);
  painter->setBrush(colour);
  const double half = std::max(kHead / 2, m_edge.flowWidth / 2 + 2);
  const QPointF back = m_end - m_direction * headLength();
  const QPointF side(-m_direction.y() * half, m_direction.x() * half);
  painter->drawPolygon(QPolygonF{m_end, back + side, back - side});
  painter->restore();
}

CutMarks cutMarks(const GraphPicture& picture, const GraphState& state, const engine::WhatIf& whatIf,
                  const FreedSides& sides) {
  CutMarks marks;
  for (const GraphNode& node : picture.nodes) {
    double freed = 0;
    if (node.key.kind == GraphNodeKind::Object) freed = whatIf.frees(node.key.object) ? 1 : 0;
    if (node.key.kind == GraphNodeKind::Stack) freed = freedOfStack(node, state, whatIf, sides);
    marks.freed.push_back(std::clamp(freed, 0.0, 1.0));
  }
  for (const GraphEdge& edge : picture.edges)
    marks.isCut.push_back(isCut(picture.nodes[edge.from], picture.nodes[edge.to], whatIf));
  return marks;
}

std::vector<GraphSide> stackedSides(const GraphPicture& picture) {
  std::set<GraphSide> sides;
  for (const GraphNode& node : picture.nodes) {
    if (node.key.kind == GraphNodeKind::Stack) sides.insert(node.owner());
  }
  return {sides.begin(), sides.end()};
}

engine::Outcome<FreedSides> readFreedSides(const engine::WhatIf& whatIf, const std::vector<GraphSide>& sides,
                                           bool folds, engine::ProgressSink* progress, std::stop_token stop) {
  FreedSides freed;
  for (const GraphSide& side : sides) {
    const engine::Neighbourhood hood{.foldCollections = folds, .followsFlow = true};
    HEAPSCAPE_TRY(freed[side], whatIf.neighbours(side.object, side.direction, hood, progress, stop));
  }
  return freed;
}

std::string cutOfEdge(const GraphPicture& picture, const GraphEdge& edge, const engine::Snapshot& snapshot) {
  const GraphNodeKey& from = picture.nodes[edge.from].key;
  const GraphNodeKey& to = picture.nodes[edge.to].key;
  if (to.kind != GraphNodeKind::Object) return {};
  if (from.kind == GraphNodeKind::Object && edge.steps != 1) return engine::cutOfObject(to.object);
  if (from.kind == GraphNodeKind::Object)
    return engine::cutOfReference(picture.nodes[edge.from].lastObject(), to.object);
  if (from.kind != GraphNodeKind::Root || from.number >= snapshot.roots().roots.size()) return {};
  return engine::cutOfRoot(snapshot.roots().roots[from.number]);
}

namespace {

constexpr auto kStacksChannel = "freedStacks";
constexpr int kMostEdges = 4;  // of one node in its menu

}  // namespace

CutMarker::CutMarker(EngineBridge& bridge, Navigator& navigator, GraphCanvas& canvas, QObject* parent)
    : QObject(parent), m_bridge(bridge), m_navigator(navigator), m_canvas(canvas) {
  connect(&canvas, &GraphCanvas::edgeMenuWanted, this, &CutMarker::openEdgeMenu);
  connect(&canvas, &GraphCanvas::edgePulledAway, this, &CutMarker::cutEdge);
}

void CutMarker::showCuts(std::shared_ptr<const engine::WhatIf> whatIf) {
  m_whatIf = std::move(whatIf);
  mark();
  askForStacks();
  Q_EMIT shown(m_whatIf != nullptr);
}

void CutMarker::showPicture(const GraphPicture& picture, const GraphState& state, bool foldsCollections) {
  m_picture = picture;
  m_state = state;
  m_foldsCollections = foldsCollections;
  mark();
  askForStacks();
}

void CutMarker::clear() {
  m_bridge.stopAsking(this, kStacksChannel);
  m_picture = {};
  m_state.clear();
  m_sides.clear();
}

// What is known of the stacks of the last picture holds for this one, too, until there is more.
void CutMarker::mark() {
  m_canvas.mark(m_whatIf ? cutMarks(m_picture, m_state, *m_whatIf, m_sides) : CutMarks{});
}

void CutMarker::askForStacks() {
  m_bridge.stopAsking(this, kStacksChannel);
  const std::vector<GraphSide> sides = stackedSides(m_picture);
  if (!m_whatIf || sides.empty()) {
    m_sides.clear();
    return;
  }
  const auto query = [whatIf = m_whatIf, sides, folds = m_foldsCollections](
                         const engine::Snapshot&, engine::ProgressSink* progress, std::stop_token stop) {
    return readFreedSides(*whatIf, sides, folds, progress, std::move(stop));
  };
  const auto told = [](const engine::Progress&) {};
  m_bridge.askLong(this, kStacksChannel, query, told, [this](engine::Outcome<FreedSides> answer) {
    if (!answer) return;
    m_sides = std::move(*answer);
    mark();
  });
}

void CutMarker::addEdgesOf(QMenu& menu, const GraphNode& node, const engine::Snapshot& snapshot) const {
  const std::uint32_t self = m_picture.find(node.key);
  int added = 0;
  for (const GraphEdge& edge : m_picture.edges) {
    if (edge.from != self && edge.to != self) continue;
    const GraphNode& other = m_picture.nodes[edge.from == self ? edge.to : edge.from];
    if (std::abs(other.column) >= std::abs(node.column) || added == kMostEdges) continue;
    const QString name = edge.via.empty() ? textOf(other, snapshot).title : edgeText(edge);
    addCutOf(menu, edge, u"Cut the arrow %1: what would be freed?"_s.arg(name), snapshot);
    ++added;
  }
}

void CutMarker::openEdgeMenu(std::size_t edge, QPoint place) {
  if (!m_bridge.snapshot() || edge >= m_picture.edges.size()) return;
  const ContextMenu opened(&m_canvas);
  QMenu& menu = *opened;
  addCutOf(menu, m_picture.edges[edge], cutHereText(), *m_bridge.snapshot());
  menu.addSeparator();
  menu.addActions(m_canvas.actions());
  menu.exec(place);
}

void CutMarker::cutEdge(std::size_t edge) {
  if (!m_bridge.snapshot() || edge >= m_picture.edges.size()) return;
  const std::string cut = cutOfEdge(m_picture, m_picture.edges[edge], *m_bridge.snapshot());
  if (!cut.empty()) m_navigator.cut(fromEngine(cut));
}

void CutMarker::addCutOf(QMenu& menu, const GraphEdge& edge, const QString& title,
                         const engine::Snapshot& snapshot) const {
  const std::string cut = cutOfEdge(m_picture, edge, snapshot);
  if (cut.empty()) return;
  const auto isThis = [&](const engine::CutShare& share) { return share.cut.text == cut; };
  if (!m_whatIf || std::ranges::none_of(m_whatIf->cuts(), isThis)) {
    addCut(menu, m_navigator, title, cut);
    return;
  }
  menu.addAction(symbolIcon(u"back"_s), u"Take this cut back"_s, this,
                 [this, cut] { Q_EMIT takeBackWanted(fromEngine(cut)); });
}

}  // namespace heapscape::gui
