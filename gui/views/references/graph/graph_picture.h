// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "session/snapshot/snapshot.h"
#include "views/references/graph/graph_state.h"

namespace heapscape::gui {

enum class GraphNodeKind : std::uint8_t {
  Object,
  Stack,      // the rest of a group of neighbours of one type
  MoreTypes,  // groups that are not shown yet
  Root,
  MoreRoots,
  Gap,  // steps of a path that are left out
};

enum class SideState : std::uint8_t { Folded, Loading, Open, Nothing };

/// Identifies a node in pictures that follow each other.
struct GraphNodeKey {
  GraphNodeKind kind = GraphNodeKind::Object;
  engine::Address object;  // itself, or the one whose side it is on
  engine::Direction direction = engine::Direction::Held;
  std::uint32_t number = 0;  // Stack: TypeId; Root: its index; Gap: the path's
  auto operator<=>(const GraphNodeKey&) const = default;
};

struct GraphNode {
  GraphNodeKey key;
  engine::Neighbour object;      // Object; with its figures. Stack: type, bytes and retained bytes of the whole group
  std::uint64_t count = 0;       // Stack: objects left on it; of MoreTypes, MoreRoots and Gap what is left out
  std::uint64_t references = 0;  // Stack: of the whole group
  bool hasCards = false;         // Stack: some of its group lie beside it
  std::size_t group = 0;         // Stack: index of its group
  int column = 0;                // 0 for the middle; holders to the left
  bool isCentre = false;
  bool isOnPath = false;
  bool isChain = false;         // Object: it and the chain below it are one card
  std::uint64_t referBack = 0;  // references from or to it that are not drawn: against the flow
  SideState holders = SideState::Nothing, held = SideState::Nothing;

  /// The object that what it holds hangs on: of a chain the last one.
  engine::Address lastObject() const { return isChain ? object.chain.back().object : key.object; }
  GraphSide side(engine::Direction direction) const {
    return {direction == engine::Direction::Held ? lastObject() : key.object, direction};
  }
  /// The side that a Stack, MoreTypes or MoreRoots belongs to.
  GraphSide owner() const { return {key.object, key.direction}; }
};

struct GraphEdge {
  std::uint32_t from = 0, to = 0;  // index of the node; `from` refers to `to`
  std::string via;                 // empty where there is no name
  bool isDominator = false;        // `from` immediately dominates `to`
  bool isOnPath = false;
  std::uint64_t flowBytes = 0;  // retained bytes that flow through it
  std::uint32_t steps = 1;      // references between both; 0 if there are more than were followed
};

struct GraphPicture {
  std::vector<GraphNode> nodes;  // the middle first, what it begins from beside it, then as they were opened
  std::vector<GraphEdge> edges;  // one for two nodes and a direction
  std::vector<GraphEdge> back;   // those that lead back to what is further left, or beside: not drawn at once
  std::uint64_t largestRetained = 0;
  std::uint64_t largestFlow = 0;
  bool isCut = false;  // more is open than is shown

  static constexpr std::uint32_t kNone = 0xffffffff;
  std::uint32_t find(const GraphNodeKey& key) const;
  std::uint32_t findObject(engine::Address object) const { return find({.object = object}); }
};

/// An object that is reached in several ways is one node. What is open but no longer reached is left out.
GraphPicture makePicture(const GraphState& state, std::size_t mostNodes);

}  // namespace heapscape::gui
