// SPDX-License-Identifier: MIT
#include "views/references/graph/node_text.h"

#include <QObject>
#include <QStringList>

#include "session/roots/roots_query.h"
#include "widgets/text/elided_text.h"
#include "widgets/text/figures.h"
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

QString retainedLine(const engine::Neighbour& object) {
  if (!object.isReachable) return u"%1 · held by nothing"_s.arg(bytesText(object.bytes));
  return object.retainedBytes == object.bytes
             ? u"%1 · retains itself"_s.arg(bytesText(object.bytes))
             : u"%1 · retains %2"_s.arg(bytesText(object.bytes), bytesText(object.retainedBytes));
}

NodeText objectText(const engine::Neighbour& object, const engine::Snapshot& snapshot) {
  const QString title = shortName(object.type, snapshot);
  NodeText text{title, valueLine(object, title), retainedLine(object), {}};
  text.isContents = !object.items && !object.value.empty() && !title.endsWith(QLatin1Char(']'));
  QStringList lines{fullTypeName(object.type, snapshot), addressText(object.object)};
  if (object.items || !object.value.empty()) lines.insert(1, text.line.left(kMostInATip));
  lines << u"Bytes: %1"_s.arg(exactBytesText(object.bytes));
  lines << (object.isReachable ? u"Retains: %1"_s.arg(exactBytesText(object.retainedBytes))
                               : u"Nothing holds it any more: garbage that was not collected yet"_s);
  text.tip = lines.join(QLatin1Char('\n'));
  return text;
}

NodeText stackText(const GraphNode& node, const engine::Snapshot& snapshot) {
  NodeText text;
  const QString name = shortName(node.object.type, snapshot);
  text.title = (node.hasCards ? u"%1 more × %2"_s : u"%1 × %2"_s).arg(countText(node.count), name);
  text.line = u"click for the next %1"_s.arg(countText(std::min<std::uint64_t>(node.count, GraphState::kPage)));
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

NodeText rootText(std::uint32_t index, const engine::Snapshot& snapshot) {
  const auto& roots = snapshot.roots().roots;
  if (index >= roots.size()) return {u"Root"_s, {}, {}, {}};
  const engine::RootRow& root = roots[index];
  NodeText text{fromEngine(root.name), {}, {}, fromEngine(root.name)};
  if (!root.isExact) {
    text.line = u"not exact"_s;
    text.tip += QLatin1Char('\n') + u"A word on a stack that may be no reference at all"_s;
  }
  if (root.address) text.tip += QLatin1Char('\n') + addressText(root.address);
  return text;
}

}  // namespace

NodeText textOf(const GraphNode& node, const engine::Snapshot& snapshot) {
  switch (node.key.kind) {
    case GraphNodeKind::Object:
      return objectText(node.object, snapshot);
    case GraphNodeKind::Stack:
      return stackText(node, snapshot);
    case GraphNodeKind::Root:
      return rootText(node.key.number, snapshot);
    case GraphNodeKind::MoreTypes:
      return {u"%1 more types"_s.arg(countText(node.count)), {}, {}, u"Click to show the next ones"_s};
    case GraphNodeKind::MoreRoots:
      return {u"%1 more roots"_s.arg(countText(node.count)), {}, {}, u"Click to show the next ones"_s};
    case GraphNodeKind::Gap:
      break;
  }
  return {node.count == 1 ? u"1 object between"_s : u"%1 objects between"_s.arg(countText(node.count)),
          {},
          {},
          u"Steps of the path that are left out"_s};
}

QString edgeText(const GraphEdge& edge) {
  return fieldNameText(edge.via);
}

QString edgeTip(const GraphEdge& edge, const GraphPicture& picture, const engine::Snapshot& snapshot) {
  const NodeText from = textOf(picture.nodes[edge.from], snapshot);
  const NodeText to = textOf(picture.nodes[edge.to], snapshot);
  QStringList lines{u"%1 → %2"_s.arg(from.title, to.title)};
  if (!edge.via.empty()) lines.prepend(fromEngine(edge.via).left(kMostInATip));
  if (edge.isDominator) lines << u"The only way in: without it, the right one would be garbage"_s;
  if (edge.isOnPath) lines << u"On a shortest path from a root to the object in the middle"_s;
  return lines.join(QLatin1Char('\n'));
}

}  // namespace heapscape::gui
