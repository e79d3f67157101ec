// SPDX-License-Identifier: MIT
#include "views/references/graph/graph_picture.h"

#include <algorithm>
#include <deque>
#include <map>
#include <set>
#include <utility>

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
      addChain(node);
      if (const OpenSide* open = openSide(node, Direction::Holders)) addSide(node, Direction::Holders, *open);
      if (const OpenSide* open = openSide(node, Direction::Held)) addSide(node, Direction::Held, *open);
    }
    takeBackEdges();
    for (GraphNode& node : m_picture.nodes) finish(node);
    for (const GraphEdge& edge : m_picture.edges)
      m_picture.largestFlow = std::max(m_picture.largestFlow, edge.flowBytes);
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
    GraphNode& node = m_picture.nodes[position];
    node.object = object;
    node.isChain = column > 0 && object.chain.size() >= GraphState::kChain && !m_state.unfolded(object.object);
    m_waiting.push_back(position);
    return position;
  }

  /// What is known of an edge.
  struct Link {
    std::string via = {};
    bool isDominator = false;
    bool isOnPath = false;
    std::uint64_t flowBytes = 0;
    std::uint32_t steps = 1;
  };
  static Link linkOf(const engine::Neighbour& neighbour) {
    return {neighbour.via, neighbour.isDominated, false, neighbour.flowBytes, neighbour.steps};
  }
  static Link linkOf(std::uint64_t flowBytes) { return {.isDominator = flowBytes > 0, .flowBytes = flowBytes}; }

  void connect(std::uint32_t from, std::uint32_t to, const Link& link) {
    if (from == GraphPicture::kNone || to == GraphPicture::kNone) return;
    const auto [known, isNew] = m_edges.try_emplace({from, to}, m_picture.edges.size());
    if (isNew) m_picture.edges.push_back({.from = from, .to = to, .via = link.via, .steps = link.steps});
    GraphEdge& edge = m_picture.edges[known->second];
    if (edge.via.empty()) edge.via = link.via;
    edge.isDominator = edge.isDominator || link.isDominator;
    edge.isOnPath = edge.isOnPath || link.isOnPath;
    edge.flowBytes = std::max(edge.flowBytes, link.flowBytes);
    if (link.steps == 1) edge.steps = 1;
  }

  void connectTo(std::uint32_t node, Direction direction, std::uint32_t other, const Link& link) {
    const bool isHeld = direction == Direction::Held;
    connect(isHeld ? node : other, isHeld ? other : node, link);
  }

  /// The objects of a chain that was opened, one after the other.
  void addChain(std::uint32_t node) {
    const std::vector<engine::Neighbour>* chain = m_state.unfolded(m_picture.nodes[node].key.object);
    if (!chain || m_picture.nodes[node].key.kind != GraphNodeKind::Object) return;
    int column = m_picture.nodes[node].column;
    for (const engine::Neighbour& step : *chain) {
      const std::uint32_t next = addObject(step, ++column);
      connect(node, next, linkOf(step));
      if (next == GraphPicture::kNone) return;
      node = next;
    }
  }

  void addSide(std::uint32_t node, Direction direction, const OpenSide& open) {
    const int column = m_picture.nodes[node].column + (direction == Direction::Held ? 1 : -1);
    addRoots(node, open, column);
    for (std::size_t group = 0; group < open.groups; ++group) {
      const engine::NeighbourGroup& of = open.neighbours.groups[group];
      for (std::size_t card = 0; card < open.cards[group]; ++card)
        connectTo(node, direction, addObject(of.first[card], column), linkOf(of.first[card]));
      if (open.stacked(group) > 0) addStack(node, direction, open, group, column);
    }
    const std::size_t left = open.neighbours.groups.size() - open.groups;
    if (left > 0) {
      const GraphNodeKey key{GraphNodeKind::MoreTypes, objectOf(node, direction), direction, 0};
      addRest(node, key, left, column, direction == Direction::Held ? open.flowOfHidden() : 0);
    }
  }

  void addRoots(std::uint32_t node, const OpenSide& open, int column) {
    for (std::size_t i = 0; i < open.roots; ++i) {
      const GraphNodeKey key{GraphNodeKind::Root, {}, Direction::Holders, open.neighbours.roots[i]};
      const bool isAlone = open.neighbours.dominatingRoot == key.number;
      connectTo(node, Direction::Holders, add(key, column),
                linkOf(isAlone ? m_picture.nodes[node].object.retainedBytes : 0));
    }
    const std::size_t left = open.neighbours.roots.size() - open.roots;
    if (left > 0)
      addRest(node, {GraphNodeKind::MoreRoots, objectOf(node, Direction::Holders), Direction::Holders, 0}, left, column,
              0);
  }

  void addStack(std::uint32_t node, Direction direction, const OpenSide& open, std::size_t group, int column) {
    const engine::NeighbourGroup& of = open.neighbours.groups[group];
    const std::uint32_t stack =
        add({GraphNodeKind::Stack, objectOf(node, direction), direction, of.type.value}, column);
    if (stack == GraphPicture::kNone) return;
    GraphNode& made = m_picture.nodes[stack];
    made.object.type = of.type;
    made.object.bytes = of.bytes;
    made.object.retainedBytes = of.retainedBytes;
    made.count = open.stacked(group);
    made.references = of.references;
    made.hasCards = open.cards[group] > 0;
    made.group = group;
    connectTo(node, direction, stack, linkOf(open.flowOfStack(group)));
  }

  void addRest(std::uint32_t node, const GraphNodeKey& key, std::uint64_t left, int column, std::uint64_t flowBytes) {
    const std::uint32_t rest = add(key, column);
    if (rest == GraphPicture::kNone) return;
    m_picture.nodes[rest].count = left;
    connectTo(node, key.direction, rest, linkOf(flowBytes));
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
        connect(markOnPath(gap), node, {.via = via, .isOnPath = true});
        node = gap;
        via.clear();
      }
      const std::uint32_t holder = addObject(objectOn(step), --column);
      connect(markOnPath(holder), node, {.via = via, .isOnPath = true});
      if (holder == GraphPicture::kNone) return;
      node = holder;
      via = step.via;
    }
    const std::uint32_t root = add({GraphNodeKind::Root, {}, Direction::Holders, path.root}, --column);
    connect(markOnPath(root), node, {.isOnPath = true});
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

  engine::Address objectOf(std::uint32_t node, Direction direction) const {
    return m_picture.nodes[node].side(direction).object;
  }

  /// Takes those edges out of the picture that lead back, and notes on their nodes how many there are with those that
  /// the engine has left out.
  void takeBackEdges() {
    std::vector<std::set<engine::Address>> others(m_picture.nodes.size());
    const auto add = [&](GraphEdge edge) {
      others[edge.from].insert(m_picture.nodes[edge.to].key.object);
      others[edge.to].insert(m_picture.nodes[edge.from].key.object);
      m_picture.back.push_back(std::move(edge));
    };
    const auto areObjects = [&](const GraphEdge& edge) {
      return m_picture.nodes[edge.from].key.kind == GraphNodeKind::Object &&
             m_picture.nodes[edge.to].key.kind == GraphNodeKind::Object;
    };
    std::erase_if(m_picture.edges, [&](const GraphEdge& edge) {
      const bool isBack = areObjects(edge) && !edge.isOnPath && edge.flowBytes == 0 &&
                          m_picture.nodes[edge.from].column >= m_picture.nodes[edge.to].column;
      if (isBack) add(edge);
      return isBack;
    });
    std::map<engine::Address, std::uint32_t> places;
    for (std::uint32_t node = 0; node < m_picture.nodes.size(); ++node) {
      if (m_picture.nodes[node].key.kind != GraphNodeKind::Object) continue;
      places.try_emplace(m_picture.nodes[node].key.object, node);
      if (!m_picture.nodes[node].isChain) continue;
      for (const engine::ChainStep& step : m_picture.nodes[node].object.chain) places.try_emplace(step.object, node);
    }
    std::set<std::pair<std::uint32_t, std::uint32_t>> known;
    for (const GraphEdge& edge : m_picture.back) known.emplace(edge.from, edge.to);
    std::vector<std::uint64_t> unlisted(m_picture.nodes.size());
    for (std::uint32_t node = 0; node < m_picture.nodes.size(); ++node) {
      for (const Direction direction : {Direction::Holders, Direction::Held}) {
        const bool isObject = m_picture.nodes[node].key.kind == GraphNodeKind::Object;
        const OpenSide* open = isObject ? openSide(node, direction) : nullptr;
        if (!open) continue;
        unlisted[node] += open->neighbours.referBack - open->neighbours.back.size();
        for (const engine::Address object : open->neighbours.back) {
          others[node].insert(object);
          const auto other = places.find(object);
          if (other == places.end() || other->second == node) continue;
          const bool isHeld = direction == Direction::Held;
          const std::uint32_t from = isHeld ? node : other->second, to = isHeld ? other->second : node;
          if (known.emplace(from, to).second) add({.from = from, .to = to, .via = {}});
        }
      }
    }
    for (std::uint32_t node = 0; node < m_picture.nodes.size(); ++node)
      m_picture.nodes[node].referBack = others[node].size() + unlisted[node];
  }

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
