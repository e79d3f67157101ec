// SPDX-License-Identifier: MIT
#include "views/references/graph/graph_picture.h"

#include <algorithm>
#include <deque>
#include <map>

namespace heapscape::gui {

using engine::Direction;

namespace {

class PictureMaker {
 public:
  PictureMaker(const GraphState& state, std::size_t mostNodes) : m_state(state), m_most(mostNodes) {}

  GraphPicture make() {
    if (m_state.isEmpty()) return {};
    const std::uint32_t centre = addObject(m_state.centre(), 0);
    m_picture.nodes[centre].isCentre = true;
    for (const engine::Neighbour& object : m_state.beside()) {
      const std::uint32_t beside = addObject(object, 0);
      if (beside != GraphPicture::kNone) m_picture.nodes[beside].isCentre = true;
    }
    // The paths come first: what they need has room in any case.
    addPaths(centre);
    while (!m_waiting.empty()) {
      const std::uint32_t node = m_waiting.front();
      m_waiting.pop_front();
      if (const OpenSide* open = openSide(node, Direction::Holders)) addSide(node, Direction::Holders, *open);
      if (const OpenSide* open = openSide(node, Direction::Held)) addSide(node, Direction::Held, *open);
    }
    for (GraphNode& node : m_picture.nodes) finish(node);
    return std::move(m_picture);
  }

 private:
  bool isFull() {
    if (m_picture.nodes.size() < m_most) return false;
    m_picture.isCut = true;
    return true;
  }

  const OpenSide* openSide(std::uint32_t node, Direction direction) const {
    return m_state.find(m_picture.nodes[node].side(direction));
  }

  /// The node of that key, or a new one; kNone if there is no room.
  std::uint32_t add(const GraphNodeKey& key, int column) {
    if (const auto known = m_positions.find(key); known != m_positions.end()) return known->second;
    if (isFull()) return GraphPicture::kNone;
    const auto position = static_cast<std::uint32_t>(m_picture.nodes.size());
    m_positions.emplace(key, position);
    GraphNode& node = m_picture.nodes.emplace_back();
    node.key = key;
    node.column = column;
    return position;
  }

  std::uint32_t addObject(const engine::Neighbour& object, int column) {
    const std::size_t before = m_picture.nodes.size();
    const std::uint32_t position = add({.object = object.object}, column);
    if (m_picture.nodes.size() == before) return position;
    m_picture.nodes[position].object = object;
    m_waiting.push_back(position);
    return position;
  }

  void connect(std::uint32_t from, std::uint32_t to, const std::string& via, bool isDominator, bool isOnPath = false) {
    if (from == GraphPicture::kNone || to == GraphPicture::kNone) return;
    const auto [known, isNew] = m_edges.try_emplace({from, to}, m_picture.edges.size());
    if (isNew) m_picture.edges.push_back({from, to, via, false, false});
    GraphEdge& edge = m_picture.edges[known->second];
    if (edge.via.empty()) edge.via = via;
    edge.isDominator = edge.isDominator || isDominator;
    edge.isOnPath = edge.isOnPath || isOnPath;
  }

  void connectTo(std::uint32_t node, Direction direction, std::uint32_t other, const std::string& via,
                 bool isDominator) {
    const bool isHeld = direction == Direction::Held;
    connect(isHeld ? node : other, isHeld ? other : node, via, isDominator);
  }

  void addSide(std::uint32_t node, Direction direction, const OpenSide& open) {
    const int column = m_picture.nodes[node].column + (direction == Direction::Held ? 1 : -1);
    addRoots(node, open, column);
    for (std::size_t group = 0; group < open.groups; ++group) {
      const engine::NeighbourGroup& of = open.neighbours.groups[group];
      for (std::size_t card = 0; card < open.cards[group]; ++card)
        connectTo(node, direction, addObject(of.first[card], column), of.first[card].via, of.first[card].isDominated);
      if (open.stacked(group) > 0) addStack(node, direction, open, group, column);
    }
    const std::size_t left = open.neighbours.groups.size() - open.groups;
    if (left > 0) addRest(node, direction, {GraphNodeKind::MoreTypes, objectOf(node), direction, 0}, left, column);
  }

  void addRoots(std::uint32_t node, const OpenSide& open, int column) {
    for (std::size_t i = 0; i < open.roots; ++i) {
      const GraphNodeKey key{GraphNodeKind::Root, {}, Direction::Holders, open.neighbours.roots[i]};
      connectTo(node, Direction::Holders, add(key, column), {}, false);
    }
    const std::size_t left = open.neighbours.roots.size() - open.roots;
    if (left > 0)
      addRest(node, Direction::Holders, {GraphNodeKind::MoreRoots, objectOf(node), Direction::Holders, 0}, left,
              column);
  }

  void addStack(std::uint32_t node, Direction direction, const OpenSide& open, std::size_t group, int column) {
    const engine::NeighbourGroup& of = open.neighbours.groups[group];
    const std::uint32_t stack = add({GraphNodeKind::Stack, objectOf(node), direction, of.type.value}, column);
    if (stack == GraphPicture::kNone) return;
    GraphNode& made = m_picture.nodes[stack];
    made.object.type = of.type;
    made.object.bytes = of.bytes;
    made.object.retainedBytes = of.retainedBytes;
    made.count = open.stacked(group);
    made.references = of.references;
    made.hasCards = open.cards[group] > 0;
    made.group = group;
    connectTo(node, direction, stack, {}, false);
  }

  void addRest(std::uint32_t node, Direction direction, const GraphNodeKey& key, std::uint64_t left, int column) {
    const std::uint32_t rest = add(key, column);
    if (rest == GraphPicture::kNone) return;
    m_picture.nodes[rest].count = left;
    connectTo(node, direction, rest, {}, false);
  }

  void addPaths(std::uint32_t centre) {
    if (!m_state.paths()) return;
    const auto& paths = m_state.paths()->paths;
    for (std::uint32_t number = 0; number < paths.size(); ++number) addPath(paths[number], number, centre);
  }

  /// Adds the way from the object in the middle back to the root.
  void addPath(const engine::RootPath& path, std::uint32_t number, std::uint32_t centre) {
    std::uint32_t node = centre;
    int column = 0;
    m_picture.nodes[centre].isOnPath = true;
    std::string via = path.steps.empty() ? std::string() : path.steps.back().via;
    for (std::size_t left = path.steps.empty() ? 0 : path.steps.size() - 1; left-- > 0;) {
      const engine::PathStep& step = path.steps[left];
      if (path.stepsLeftOut > 0 && left + 1 == path.leftOutAfter) {
        const std::uint32_t gap =
            add({GraphNodeKind::Gap, m_state.centre().object, Direction::Holders, number}, --column);
        if (gap == GraphPicture::kNone) return;
        m_picture.nodes[gap].count = path.stepsLeftOut;
        connect(markOnPath(gap), node, via, false, true);
        node = gap;
        via.clear();
      }
      const std::uint32_t holder = addObject(objectOn(step), --column);
      connect(markOnPath(holder), node, via, false, true);
      if (holder == GraphPicture::kNone) return;
      node = holder;
      via = step.via;
    }
    const std::uint32_t root = add({GraphNodeKind::Root, {}, Direction::Holders, path.root}, --column);
    connect(markOnPath(root), node, {}, false, true);
  }

  std::uint32_t markOnPath(std::uint32_t node) {
    if (node != GraphPicture::kNone) m_picture.nodes[node].isOnPath = true;
    return node;
  }

  engine::Neighbour objectOn(const engine::PathStep& step) const {
    const auto& known = m_state.paths()->steps;
    if (const auto found = known.find(step.object); found != known.end()) return found->second;
    engine::Neighbour object;
    object.object = step.object;
    object.type = step.type;
    object.retainedBytes = step.retainedBytes;
    object.references = 1;
    return object;
  }

  engine::Address objectOf(std::uint32_t node) const { return m_picture.nodes[node].key.object; }

  SideState stateOf(const GraphNode& node, Direction direction) const {
    const GraphSide side = node.side(direction);
    if (m_state.isLoading(side)) return SideState::Loading;
    const OpenSide* open = m_state.find(side);
    const bool hasNone = direction == Direction::Held && node.object.references == 0;
    if (!open) return hasNone ? SideState::Nothing : SideState::Folded;
    return open->neighbours.groups.empty() && open->neighbours.roots.empty() ? SideState::Nothing : SideState::Open;
  }

  void finish(GraphNode& node) {
    if (node.key.kind == GraphNodeKind::Object) {
      node.holders = stateOf(node, Direction::Holders);
      node.held = stateOf(node, Direction::Held);
    }
    m_picture.largestRetained = std::max(m_picture.largestRetained, node.object.retainedBytes);
  }

  const GraphState& m_state;
  std::size_t m_most;
  GraphPicture m_picture;
  std::map<GraphNodeKey, std::uint32_t> m_positions;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> m_edges;
  std::deque<std::uint32_t> m_waiting;
};

}  // namespace

std::uint32_t GraphPicture::find(const GraphNodeKey& key) const {
  const auto found = std::ranges::find(nodes, key, &GraphNode::key);
  return found == nodes.end() ? kNone : static_cast<std::uint32_t>(found - nodes.begin());
}

GraphPicture makePicture(const GraphState& state, std::size_t mostNodes) {
  return PictureMaker(state, mostNodes).make();
}

}  // namespace heapscape::gui
