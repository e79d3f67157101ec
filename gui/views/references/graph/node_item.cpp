// SPDX-License-Identifier: MIT
#include "views/references/graph/node_item.h"

#include <QPainter>
#include <QPointF>
#include <QStringList>
#include <QWidget>
#include <algorithm>
#include <cmath>

#include "models/names/reach_text.h"
#include "session/roots/roots_query.h"
#include "views/references/graph/edge_item.h"
#include "widgets/drawing/colours.h"
#include "widgets/drawing/marks.h"
#include "widgets/text/elided_text.h"
#include "widgets/text/figures.h"
#include "widgets/text/fonts.h"
#include "widgets/text/hidden_contents.h"
#include "widgets/text/value_text.h"

namespace heapscape::gui {
namespace {

constexpr qsizetype kMostInATip = 400;

QString fullTypeName(engine::TypeId type, const engine::Snapshot& snapshot) {
  return type.value < snapshot.types().size() ? fromEngine(snapshot.types()[type.value].name) : u"Unknown type"_s;
}

QString shortName(engine::TypeId type, const engine::Snapshot& snapshot) {
  return type.value < snapshot.types().size() ? shortTypeName(snapshot.types()[type.value].name) : u"Unknown type"_s;
}

QString valueLine(const engine::Neighbour& object, const QString& typeName) {
  if (object.items) return countedText(*object.items, u"item"_s);
  // The value of an array is its type with its lengths.
  if (!object.value.empty())
    return typeName.endsWith(QLatin1Char(']')) ? shortTypeName(object.value) : fromEngine(object.value);
  return addressText(object.object);
}

/// Where the retained bytes are. The parts add up; what there is nothing of is left out.
QString accountText(const engine::RetainedAccount& account, bool isCollection) {
  QStringList parts{u"own %1"_s.arg(bytesText(account.ownBytes))};
  if (account.fieldBytes) parts << (isCollection ? u"items %1"_s : u"fields %1"_s).arg(bytesText(account.fieldBytes));
  if (account.restBytes) parts << u"rest %1"_s.arg(bytesText(account.restBytes));
  return parts.join(u" + "_s);
}

QStringList accountTip(const engine::RetainedAccount& account, bool isCollection) {
  QStringList lines{u"Retains: %1"_s.arg(exactBytesText(account.retainedBytes())),
                    u"= own: %1"_s.arg(exactBytesText(account.ownBytes))};
  lines << (isCollection ? u"+ through its items alone: %1"_s : u"+ through its fields alone: %1"_s)
               .arg(exactBytesText(account.fieldBytes));
  lines << u"+ the rest, further on, where several ways from it meet: %1"_s.arg(exactBytesText(account.restBytes));
  return lines;
}

void addAccount(NodeText& text, const engine::Neighbour& object, const engine::RetainedAccount& account) {
  text.figures = accountText(account, object.items.has_value());
  if (object.retainedBytes == 0) return;
  const auto retained = static_cast<double>(object.retainedBytes);
  text.ownShare = static_cast<double>(account.ownBytes) / retained;
  text.fieldShare = static_cast<double>(account.fieldBytes) / retained;
}

QString chainTitle(const engine::Neighbour& object, const engine::Snapshot& snapshot) {
  constexpr std::size_t kNamed = 1;  // steps, beside the first one and the last
  QStringList names{shortName(object.type, snapshot)};
  for (std::size_t step = 0; step < std::min(kNamed, object.chain.size() - 1); ++step)
    names << shortName(object.chain[step].type, snapshot);
  if (object.chain.size() > kNamed + 1) names << u"…"_s;
  names << shortName(object.chain.back().type, snapshot);
  return names.join(u" ▸ "_s);
}

QString chainTip(const engine::Neighbour& object, const engine::Snapshot& snapshot) {
  constexpr std::size_t kMostNamed = 20;
  QStringList lines{fullTypeName(object.type, snapshot)};
  for (std::size_t step = 0; step < object.chain.size(); ++step) {
    if (step == kMostNamed && object.chain.size() > kMostNamed + 1) {
      lines << u"▸ %1 more"_s.arg(countText(object.chain.size() - kMostNamed));
      break;
    }
    lines << u"▸ "_s + fullTypeName(object.chain[step].type, snapshot);
  }
  lines << u"Each retains at least %1% of what the one before does. Click to see them one by one."_s.arg(
      engine::RetainedFlow::kChainPercent);
  return lines.join(QLatin1Char('\n'));
}

NodeText objectText(const GraphNode& node, const engine::Snapshot& snapshot) {
  const engine::Neighbour& object = node.object;
  const QString title = shortName(object.type, snapshot);
  NodeText text{.title = title, .line = valueLine(object, title), .retained = {}, .figures = {}, .tip = {}};
  text.isContents = !object.items && !object.value.empty() && !title.endsWith(QLatin1Char(']'));
  QStringList lines{fullTypeName(object.type, snapshot), addressText(object.object)};
  if (object.items || !object.value.empty()) lines.insert(1, text.line.left(kMostInATip));
  lines << u"Bytes: %1"_s.arg(exactBytesText(object.bytes));
  if (node.isChain) {
    text.title = chainTitle(object, snapshot);
    text.line = u"%1: click to open"_s.arg(countedText(object.chain.size() + 1, u"object"_s));
    text.isContents = false;
    lines = {chainTip(object, snapshot)};
  }
  const auto& account = node.isChain ? object.chainAccount : object.account;
  if (!object.isReachable) {
    text.figures = u"%1 · %2"_s.arg(bytesText(object.bytes), unreachedText(object.isGarbage));
    lines << unreachedTip(object.isGarbage);
  } else {
    text.retained = bytesText(object.retainedBytes);
    text.figures = u"own %1"_s.arg(bytesText(object.bytes));
    if (account) addAccount(text, object, *account);
    if (account) {
      lines << accountTip(*account, object.items.has_value());
    } else {
      lines << u"Retains: %1"_s.arg(exactBytesText(object.retainedBytes));
    }
  }
  if (node.referBack > 0) {
    text.back = u"⟲ %1"_s.arg(countText(node.referBack));
    lines
        << u"⟲ %1 against the flow: from what it retains, or to what retains it. Those to objects in the picture are drawn while the pointer is here."_s
               .arg(countedText(node.referBack, u"reference"_s));
  }
  text.tip = lines.join(QLatin1Char('\n'));
  return text;
}

NodeText stackText(const GraphNode& node, const engine::Snapshot& snapshot) {
  NodeText text;
  const QString name = shortName(node.object.type, snapshot);
  text.title = (node.hasCards ? u"%1 more × %2"_s : u"%1 × %2"_s).arg(countText(node.count), name);
  text.line = u"show %1"_s.arg(countText(std::min<std::uint64_t>(node.count, GraphState::kPage)));
  text.figures = u"%1 · retain %2"_s.arg(bytesText(node.object.bytes), bytesText(node.object.retainedBytes));
  if (node.hasCards) text.figures = u"all: %1"_s.arg(text.figures);
  text.tip =
      QStringList{fullTypeName(node.object.type, snapshot),
                  u"%1 on this stack, those that retain most come first"_s.arg(countedText(node.count, u"object"_s)),
                  u"%1 in all"_s.arg(countedText(node.references, u"reference"_s)),
                  u"All of them: %1"_s.arg(exactBytesText(node.object.bytes)),
                  u"Together they retain: %1"_s.arg(exactBytesText(node.object.retainedBytes))}
          .join(QLatin1Char('\n'));
  return text;
}

NodeText pillText(const QString& title, const QString& tip) {
  NodeText text;
  text.title = title;
  text.tip = tip;
  return text;
}

NodeText rootText(std::uint32_t index, const engine::Snapshot& snapshot) {
  const auto& roots = snapshot.roots().roots;
  if (index >= roots.size()) return pillText(u"Root"_s, {});
  const engine::RootRow& root = roots[index];
  NodeText text = pillText(fromEngine(root.name), fromEngine(root.name));
  if (!root.isExact) {
    text.line = u"not exact"_s;
    text.tip += QLatin1Char('\n') + u"A word on a stack that may be no reference at all"_s;
  }
  if (root.address) text.tip += QLatin1Char('\n') + addressText(root.address);
  return text;
}

constexpr double kPadding = 8;
constexpr double kBarHeight = 5;
constexpr double kLeastHandle = 24;
constexpr double kStackEdge = 6;     // what is seen of the cards below
constexpr double kCardLetters = 36;  // wide
constexpr double kMostPillLetters = 46;
constexpr double kGapLetters = 15;
constexpr double kMostGapLetters = 32;

}  // namespace

NodeText textOf(const GraphNode& node, const engine::Snapshot& snapshot) {
  switch (node.key.kind) {
    case GraphNodeKind::Object:
      return objectText(node, snapshot);
    case GraphNodeKind::Stack:
      return stackText(node, snapshot);
    case GraphNodeKind::Root:
      return rootText(node.key.number, snapshot);
    case GraphNodeKind::MoreTypes:
      return pillText(node.count == 1 ? u"1 more type"_s : u"%1 more types"_s.arg(countText(node.count)),
                      u"Click to show the next ones"_s);
    case GraphNodeKind::MoreRoots:
      return pillText(node.count == 1 ? u"1 more root"_s : u"%1 more roots"_s.arg(countText(node.count)),
                      u"Click to show the next ones"_s);
    case GraphNodeKind::Gap:
      break;
  }
  return pillText(node.count == 1 ? u"1 object between"_s : u"%1 objects between"_s.arg(countText(node.count)),
                  u"Steps of the path that are left out"_s);
}

QString edgeText(const GraphEdge& edge) {
  return fieldNameText(edge.via);
}

QString edgeTip(const GraphEdge& edge, const GraphPicture& picture, const engine::Snapshot& snapshot) {
  const NodeText from = textOf(picture.nodes[edge.from], snapshot);
  const NodeText to = textOf(picture.nodes[edge.to], snapshot);
  QStringList lines{u"%1 → %2"_s.arg(from.title, to.title)};
  if (!edge.via.empty()) lines.prepend(fromEngine(edge.via).left(kMostInATip));
  if (edge.steps == 0) lines << u"Several references further on: the way was too long to be followed"_s;
  if (edge.steps > 1)
    lines << u"%1 after each other, along a shortest way"_s.arg(countedText(edge.steps, u"reference"_s));
  if (edge.flowBytes) lines << u"Retained bytes that flow through it: %1"_s.arg(exactBytesText(edge.flowBytes));
  if (edge.isDominator) lines << u"The only way in: without it, the right one would be garbage"_s;
  if (edge.isOnPath) lines << u"On a shortest path from a root to the object in the middle"_s;
  return lines.join(QLatin1Char('\n'));
}

NodeMetrics::NodeMetrics(const QFont& font)
    : m_bold(scaledFont(font, 1, QFont::DemiBold)),
      m_label(edgeFont(font, true)),
      m_plain(font),
      m_letter(QFontMetricsF(font).averageCharWidth()),
      m_line(QFontMetricsF(font).height()),
      m_handle(std::max(kLeastHandle, m_line * 1.4)) {}

NodeGeometry NodeMetrics::geometryOf(const GraphNode& node, const NodeText& text) const {
  switch (node.key.kind) {
    case GraphNodeKind::Object:
    case GraphNodeKind::Stack:
      return cardOf(node, text);
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

NodeGeometry NodeMetrics::cardOf(const GraphNode& node, const NodeText& text) const {
  const bool isStack = node.key.kind == GraphNodeKind::Stack;
  NodeGeometry geometry;
  const double side = isStack ? 0 : m_handle / 2;  // handles stand out by one half
  // So that no account is cut.
  const double foot =
      m_plain.horizontalAdvance(u"own 999 KB + fields 99.9 MB + rest 99.9 MB"_s) + m_handle + 2 * kPadding;
  const double width =
      std::max(m_letter * kCardLetters, foot) + (isStack ? m_handle - kStackEdge : 0);  // as wide in all
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
  const auto cutOff = [&](QRectF& from, const QString& words, const QFontMetricsF& metrics) {
    if (words.isEmpty()) return QRectF();
    QRectF part = from;
    part.setLeft(from.right() - metrics.horizontalAdvance(words) - 1);
    from.setRight(part.left() - kPadding);
    return part;
  };
  geometry.retained = cutOff(geometry.title, text.retained, m_bold);
  geometry.back = cutOff(geometry.line, text.back, m_plain);
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

namespace {

constexpr double kAside = 3;  // how much worse a step aside is than one ahead

QPointF directionOf(Qt::Key key) {
  switch (key) {
    case Qt::Key_Left:
      return {-1, 0};
    case Qt::Key_Right:
      return {1, 0};
    case Qt::Key_Up:
      return {0, -1};
    default:
      return {0, 1};
  }
}

}  // namespace

std::optional<std::size_t> nearestNode(const std::vector<QRectF>& boxes, std::size_t from, Qt::Key key) {
  const QPointF direction = directionOf(key);
  std::optional<std::size_t> nearest;
  double least = 0;
  for (std::size_t box = 0; box < boxes.size(); ++box) {
    const QPointF way = boxes[box].center() - boxes[from].center();
    const double ahead = QPointF::dotProduct(way, direction);
    const double aside = std::abs(way.x() * direction.y() - way.y() * direction.x());
    // Columns overlap a little; what is more beside than ahead belongs to another arrow.
    const double leastAhead = (direction.x() != 0 ? boxes[from].width() : boxes[from].height()) / 2;
    if (box == from || ahead < leastAhead) continue;
    const double distance = ahead + kAside * aside;
    if (nearest && distance >= least) continue;
    nearest = box;
    least = distance;
  }
  return nearest;
}

namespace {

constexpr double kCorner = 6;
constexpr double kHalo = 4;        // room for thick borders
constexpr double kLeastBar = 1.5;  // so that something small is still something
constexpr double kStackStep = 3;
constexpr double kFrame = 5;  // that is hatched

/// Draws one node; lives as long as one call of paint().
class NodePainter {
 public:
  NodePainter(QPainter& painter, const QWidget& widget, const NodeItem& item, bool isPicked, NodePart hovered)
      : m_painter(painter),
        m_palette(widget.palette()),
        m_colours(m_palette),
        m_font(widget.font()),
        m_item(item),
        m_isPicked(isPicked),
        m_markWidth(markPen(m_palette, widget.hasFocus()).widthF()),
        m_hovered(hovered) {}

  void paintCard(double share) const {
    const NodeGeometry& geometry = m_item.geometry();
    if (m_item.node().key.kind == GraphNodeKind::Stack) paintCardsBelow();
    m_painter.setPen(border());
    m_painter.setBrush(m_palette.color(m_hovered == NodePart::Card ? QPalette::AlternateBase : QPalette::Base));
    m_painter.drawRoundedRect(geometry.card.adjusted(0.5, 0.5, -0.5, -0.5), kCorner, kCorner);
    paintFreed(geometry.card);
    paintText(geometry.title, m_item.text().title, QPalette::Text, QFont::DemiBold, Qt::ElideMiddle);
    const QString& line = m_item.text().line;
    paintText(geometry.line, m_item.text().isContents ? contentsText(line) : line, QPalette::Text, QFont::Normal,
              Qt::ElideRight);
    paintText(geometry.retained, m_item.text().retained, QPalette::Text, QFont::DemiBold, Qt::ElideNone);
    paintText(geometry.back, m_item.text().back, QPalette::PlaceholderText, QFont::Normal, Qt::ElideNone);
    paintText(geometry.figures, m_item.text().figures, QPalette::PlaceholderText, QFont::Normal, Qt::ElideRight);
    paintBar(share);
    paintHandle(geometry.holders, m_item.node().holders, NodePart::Holders);
    paintHandle(geometry.held, m_item.node().held, NodePart::Held);
  }

  void paintPill() const {
    const NodeGeometry& geometry = m_item.geometry();
    const double radius = geometry.card.height() / 2;
    const bool isRoot = m_item.node().key.kind == GraphNodeKind::Root;
    const bool isDoubtful = isRoot && !m_item.text().line.isEmpty();
    QPen pen = border();
    if (isDoubtful || m_item.node().key.kind == GraphNodeKind::Gap) pen.setStyle(Qt::DashLine);
    m_painter.setPen(pen);
    m_painter.setBrush(isRoot ? m_colours.freeSpace() : m_palette.color(QPalette::Base));
    m_painter.drawRoundedRect(geometry.card.adjusted(0.5, 0.5, -0.5, -0.5), radius, radius);
    // Of a thread the program may have given a name to.
    const QString title = isRoot ? givenNameText(m_item.text().title.toStdString()) : m_item.text().title;
    paintText(geometry.title, title, QPalette::Text, isRoot ? QFont::DemiBold : QFont::Normal, Qt::ElideMiddle);
    paintText(geometry.line, m_item.text().line, QPalette::PlaceholderText, QFont::Normal, Qt::ElideRight);
  }

 private:
  QPen border() const {
    const GraphNode& node = m_item.node();
    if (m_isPicked || node.isCentre) return {m_palette.color(QPalette::Highlight), m_isPicked ? m_markWidth : 1.5};
    if (node.key.kind == GraphNodeKind::Object && !node.object.isReachable)
      return {m_colours.outline(), 1.2, Qt::DashLine};
    return {m_colours.outline(), 1};
  }

  /// A hatched frame, so that what is written in the middle stays legible.
  void paintFreed(const QRectF& card) const {
    if (m_item.freed() <= 0) return;
    QRectF hatched = card.adjusted(2, 2, -2, -2);
    hatched.setWidth(std::max(kFrame, hatched.width() * m_item.freed()));
    paintHatch(m_painter, hatched, m_colours);
    m_painter.setPen(Qt::NoPen);
    m_painter.setBrush(m_palette.color(m_hovered == NodePart::Card ? QPalette::AlternateBase : QPalette::Base));
    m_painter.drawRoundedRect(card.adjusted(kFrame, kFrame, -kFrame, -kFrame), kCorner, kCorner);
  }

  void paintCardsBelow() const {
    m_painter.setPen(QPen(m_colours.outline(), 1));
    m_painter.setBrush(m_palette.color(QPalette::Base));
    for (const double step : {2 * kStackStep, kStackStep}) {
      m_painter.drawRoundedRect(m_item.geometry().card.translated(step, step).adjusted(0.5, 0.5, -0.5, -0.5), kCorner,
                                kCorner);
    }
  }

  void paintText(const QRectF& area, const QString& text, QPalette::ColorRole role, QFont::Weight weight,
                 Qt::TextElideMode mode) const {
    if (area.isEmpty() || text.isEmpty()) return;
    const QFont font = scaledFont(m_font, 1, weight);
    m_painter.setFont(font);
    m_painter.setPen(m_palette.color(role));
    m_painter.drawText(area, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
                       QFontMetricsF(font).elidedText(text, mode, area.width()));
  }

  void paintBar(double share) const {
    const QRectF& area = m_item.geometry().bar;
    m_painter.setPen(Qt::NoPen);
    m_painter.setBrush(m_colours.gridLine());
    m_painter.drawRoundedRect(area, area.height() / 2, area.height() / 2);
    if (share <= 0) return;
    // What it retains, in its three parts: its own, through its fields, the rest.
    const double width = std::max(kLeastBar, area.width() * share);
    const double own = width * m_item.text().ownShare, fields = width * m_item.text().fieldShare;
    double left = area.left();
    const auto part = [&](double length, int step) {
      if (length <= 0) return;
      m_painter.setBrush(m_colours.heatStep(step));
      m_painter.drawRect(QRectF(left, area.top(), length, area.height()));
      left += length;
    };
    part(own, 4);
    part(fields, 3);
    part(width - own - fields, m_item.text().retained.isEmpty() ? 3 : 2);
  }

  void paintHandle(const QRectF& area, SideState state, NodePart part) const {
    if (area.isEmpty()) return;
    // The circle is smaller than what can be clicked.
    const QRectF circle = area.marginsRemoved({3, 3, 3, 3});
    const bool isHovered = m_hovered == part;
    m_painter.setPen(QPen(isHovered ? m_palette.color(QPalette::Highlight) : m_colours.outline(), isHovered ? 2 : 1));
    m_painter.setBrush(m_palette.color(QPalette::Base));
    m_painter.drawEllipse(circle);
    m_painter.setPen(QPen(m_palette.color(QPalette::Text), 1.6, Qt::SolidLine, Qt::RoundCap));
    const QPointF middle = circle.center();
    const double reach = circle.width() / 4.4;
    if (state == SideState::Loading) {
      for (const double dot : {-reach, 0.0, reach}) m_painter.drawPoint(middle + QPointF(dot, 0));
      return;
    }
    m_painter.drawLine(middle - QPointF(reach, 0), middle + QPointF(reach, 0));
    if (state == SideState::Folded) m_painter.drawLine(middle - QPointF(0, reach), middle + QPointF(0, reach));
  }

  QPainter& m_painter;
  const QPalette m_palette;
  const Colours m_colours;
  const QFont m_font;
  const NodeItem& m_item;
  bool m_isPicked;
  double m_markWidth;  // of the line around it, if it is
  NodePart m_hovered;
};

}  // namespace

NodeItem::NodeItem(GraphNode node, NodeText text, NodeGeometry geometry, double share, const QWidget& look)
    : m_node(std::move(node)), m_text(std::move(text)), m_geometry(std::move(geometry)), m_look(look), m_share(share) {
  setToolTip(m_text.tip);
  setZValue(1);
}

NodePart NodeItem::partAt(QPointF point) const {
  if (m_geometry.holders.contains(point)) return NodePart::Holders;
  if (m_geometry.held.contains(point)) return NodePart::Held;
  return m_geometry.card.contains(point) ? NodePart::Card : NodePart::None;
}

void NodeItem::setPicked(bool isPicked) {
  if (isPicked == m_isPicked) return;
  m_isPicked = isPicked;
  update();
}

void NodeItem::setSide(engine::Direction direction, SideState state) {
  (direction == engine::Direction::Held ? m_node.held : m_node.holders) = state;
  update();
}

void NodeItem::setHovered(NodePart part) {
  if (part == m_hovered) return;
  m_hovered = part;
  update();
}

void NodeItem::setFreed(double share) {
  if (share == m_freed) return;
  m_freed = share;
  QString tip = m_text.tip;
  if (share >= 1) tip += u"\nWould be freed by what is cut"_s;
  if (share > 0 && share < 1)
    tip += u"\n%1 of them would be freed by what is cut"_s.arg(
        countText(static_cast<std::uint64_t>(std::llround(share * static_cast<double>(m_node.count)))));
  setToolTip(tip);
  update();
}

QRectF NodeItem::boundingRect() const {
  return QRectF({}, m_geometry.size).adjusted(-kHalo, -kHalo, kHalo, kHalo);
}

void NodeItem::paint(QPainter* painter, const QStyleOptionGraphicsItem*, QWidget*) {
  const NodePainter paints(*painter, m_look, *this, m_isPicked, m_hovered);
  const bool isCard = m_node.key.kind == GraphNodeKind::Object || m_node.key.kind == GraphNodeKind::Stack;
  if (isCard) {
    paints.paintCard(m_share);
  } else {
    paints.paintPill();
  }
}

}  // namespace heapscape::gui
