// SPDX-License-Identifier: MIT
#include "views/references/graph/cut_marks.h"

#include <algorithm>
#include <set>
#include <utility>

namespace heapscape::gui {

namespace {

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
  if (from.key.kind == GraphNodeKind::Object && whatIf.isCut(from.key.object, object)) return true;
  return whatIf.goes(object);
}

}  // namespace

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
    HEAPSCAPE_TRY(freed[side], whatIf.neighbours(side.object, side.direction, folds, progress, stop));
  }
  return freed;
}

std::string cutOfEdge(const GraphPicture& picture, const GraphEdge& edge, const engine::Snapshot& snapshot) {
  const GraphNodeKey& from = picture.nodes[edge.from].key;
  const GraphNodeKey& to = picture.nodes[edge.to].key;
  if (to.kind != GraphNodeKind::Object) return {};
  if (from.kind == GraphNodeKind::Object) return engine::cutOfReference(from.object, to.object);
  if (from.kind != GraphNodeKind::Root || from.number >= snapshot.roots().roots.size()) return {};
  return engine::cutOfRoot(snapshot.roots().roots[from.number]);
}

}  // namespace heapscape::gui
