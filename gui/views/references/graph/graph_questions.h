// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "session/objects/retained_query.h"
#include "views/references/graph/graph_state.h"

namespace heapscape::gui {

// What the graph asks; all of these run on an engine thread.

/// How many neighbours of each type are asked for at once.
inline constexpr std::size_t kNamedNeighbours = GraphState::kPage;

/// An object with both sides open; or the first of a set, with others of it beside and the holders of each.
struct GraphStart {
  engine::Neighbour centre;
  engine::Neighbours holders, held;
  std::vector<std::pair<engine::Neighbour, engine::Neighbours>> beside = {};
  std::uint64_t objects = 1;  // of the set
};
engine::Outcome<GraphStart> readStart(const engine::Snapshot& snapshot, engine::Address object, bool folds,
                                      engine::ProgressSink* progress, std::stop_token stop);

/// At most kMostStarts of the objects (ObjectIds), those that retain most: with what holds them, so that what several
/// of them have in common is one node. Fails with NotFound for no objects.
inline constexpr std::size_t kMostStarts = 20;
engine::Outcome<GraphStart> readSetStart(const engine::Snapshot& snapshot, const std::vector<std::uint32_t>& objects,
                                         bool folds, engine::ProgressSink* progress, std::stop_token stop);

engine::Outcome<engine::Neighbours> readSide(const engine::Snapshot& snapshot, const GraphSide& side, bool folds,
                                             engine::ProgressSink* progress, std::stop_token stop);

/// Some shortest paths to an object, with what is known of the objects on them; with `folds` without the arrays and
/// nodes of collections.
engine::Outcome<GraphPaths> readPaths(const engine::Snapshot& snapshot, engine::Address object, bool folds,
                                      engine::ProgressSink* progress, std::stop_token stop);

/// As C#, by the shortest path from a root: "Shop.Statics.orders[42].Lines[3]"; empty if nothing holds the object.
engine::Outcome<std::string> readExpression(const engine::Snapshot& snapshot, engine::Address object,
                                            engine::ProgressSink* progress, std::stop_token stop);

/// The objects that retain most: where one may begin.
std::vector<engine::Neighbour> readLargest(const engine::Snapshot& snapshot, std::size_t count, std::stop_token stop);

}  // namespace heapscape::gui
