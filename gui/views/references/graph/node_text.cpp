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
  return type.value < snapshot.types().size() ? fromEngine(snapshot.types()[type.value].name)
                                              : QStringLiteral("Unknown type");
}

QString shortName(engine::TypeId type, const engine::Snapshot& snapshot) {
  return type.value < snapshot.types().size() ? shortTypeName(snapshot.types()[type.value].name)
                                              : QStringLiteral("Unknown type");
}

QString valueLine(const engine::Neighbour& object, const QString& typeName) {
  if (object.items) return countedText(*object.items, QStringLiteral("item"));
  // Of an array the value is its type with its lengths.
  if (!object.value.empty())
    return typeName.endsWith(QLatin1Char(']')) ? shortTypeName(object.value) : fromEngine(object.value);
  return addressText(object.object);
}

QString retainedLine(const engine::Neighbour& object) {
  if (!object.isReachable) return QStringLiteral("%1 · held by nothing").arg(bytesText(object.bytes));
  return object.retainedBytes == object.bytes
             ? QStringLiteral("%1 · retains itself").arg(bytesText(object.bytes))
             : QStringLiteral("%1 · retains %2").arg(bytesText(object.bytes), bytesText(object.retainedBytes));
}

NodeText objectText(const engine::Neighbour& object, const engine::Snapshot& snapshot) {
  const QString title = shortName(object.type, snapshot);
  NodeText text{title, valueLine(object, title), retainedLine(object), {}};
  text.isContents = !object.items && !object.value.empty() && !title.endsWith(QLatin1Char(']'));
  QStringList lines{fullTypeName(object.type, snapshot), addressText(object.object)};
  if (object.items || !object.value.empty()) lines.insert(1, text.line.left(kMostInATip));
  lines << QStringLiteral("Bytes: %1").arg(exactBytesText(object.bytes));
  lines << (object.isReachable ? QStringLiteral("Retains: %1").arg(exactBytesText(object.retainedBytes))
                               : QStringLiteral("Nothing holds it any more: garbage that was not collected yet"));
  text.tip = lines.join(QLatin1Char('\n'));
  return text;
}

NodeText stackText(const GraphNode& node, const engine::Snapshot& snapshot) {
  NodeText text;
  const QString name = shortName(node.object.type, snapshot);
  text.title =
      (node.hasCards ? QStringLiteral("%1 more × %2") : QStringLiteral("%1 × %2")).arg(countText(node.count), name);
  text.line =
      QStringLiteral("click for the next %1").arg(countText(std::min<std::uint64_t>(node.count, GraphState::kPage)));
  text.figures =
      QStringLiteral("%1 · retain %2").arg(bytesText(node.object.bytes), bytesText(node.object.retainedBytes));
  if (node.hasCards) text.figures = QStringLiteral("all: %1").arg(text.figures);
  text.tip = QStringList{fullTypeName(node.object.type, snapshot),
                         QStringLiteral("%1 on this stack, those that retain most come first")
                             .arg(countedText(node.count, QStringLiteral("object"))),
                         QStringLiteral("%1 in all").arg(countedText(node.references, QStringLiteral("reference"))),
                         QStringLiteral("All of them: %1").arg(exactBytesText(node.object.bytes)),
                         QStringLiteral("Together they retain: %1").arg(exactBytesText(node.object.retainedBytes))}
                 .join(QLatin1Char('\n'));
  return text;
}

NodeText rootText(std::uint32_t index, const engine::Snapshot& snapshot) {
  const auto& roots = snapshot.roots().roots;
  if (index >= roots.size()) return {QStringLiteral("Root"), {}, {}, {}};
  const engine::RootRow& root = roots[index];
  NodeText text{fromEngine(root.name), {}, {}, fromEngine(root.name)};
  if (!root.isExact) {
    text.line = QStringLiteral("not exact");
    text.tip += QLatin1Char('\n') + QStringLiteral("A word on a stack that may be no reference at all");
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
      return {QStringLiteral("%1 more types").arg(countText(node.count)),
              {},
              {},
              QStringLiteral("Click to show the next ones")};
    case GraphNodeKind::MoreRoots:
      return {QStringLiteral("%1 more roots").arg(countText(node.count)),
              {},
              {},
              QStringLiteral("Click to show the next ones")};
    case GraphNodeKind::Gap:
      break;
  }
  return {node.count == 1 ? QStringLiteral("1 object between")
                          : QStringLiteral("%1 objects between").arg(countText(node.count)),
          {},
          {},
          QStringLiteral("Steps of the path that are left out")};
}

QString edgeText(const GraphEdge& edge) {
  return fieldNameText(edge.via);
}

QString edgeTip(const GraphEdge& edge, const GraphPicture& picture, const engine::Snapshot& snapshot) {
  const NodeText from = textOf(picture.nodes[edge.from], snapshot);
  const NodeText to = textOf(picture.nodes[edge.to], snapshot);
  QStringList lines{QStringLiteral("%1 → %2").arg(from.title, to.title)};
  if (!edge.via.empty()) lines.prepend(fromEngine(edge.via).left(kMostInATip));
  if (edge.isDominator) lines << QStringLiteral("The only way in: without it, the right one would be garbage");
  if (edge.isOnPath) lines << QStringLiteral("On a shortest path from a root to the object in the middle");
  return lines.join(QLatin1Char('\n'));
}

}  // namespace heapscape::gui
