// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "session/references/neighbours_query.h"
#include "session/references/paths_query.h"

namespace heapscape::gui {

/// One side of an object: those that hold it, or those that it holds.
struct GraphSide {
  engine::Address object;
  engine::Direction direction = engine::Direction::Held;
  auto operator<=>(const GraphSide&) const = default;
};

/// A side that has been opened. Of each group the neighbours that the engine has told so far are in `first`; some of
/// them are cards of their own, the rest is a stack.
struct OpenSide {
  engine::Neighbours neighbours;
  std::vector<std::size_t> cards;  // by group
  std::size_t groups = 0;          // shown; the others are behind "more types"
  std::size_t roots = 0;           // shown

  std::uint64_t stacked(std::size_t group) const { return neighbours.groups[group].objects - cards[group]; }
};

/// Shortest paths from roots to the object in the middle, laid over the picture.
struct GraphPaths {
  std::vector<engine::RootPath> paths;
  std::map<engine::Address, engine::Neighbour> steps;  // the objects on them
};

/// What is open around an object. The picture follows from it; see graph_picture.h.
class GraphState {
 public:
  static constexpr std::size_t kPage = 10;        // cards, types or roots that a click on "more" adds
  static constexpr std::size_t kFirstGroups = 8;  // types that an opened side begins with
  static constexpr std::size_t kFirstRoots = 4;
  static constexpr std::size_t kFew = 3;  // neighbours that are shown as cards at once

  void start(engine::Neighbour centre);
  /// Puts further objects beside the one in the middle, from which the picture begins as well.
  void addBeside(std::vector<engine::Neighbour> objects) { m_beside = std::move(objects); }
  void clear() { *this = GraphState(); }
  bool isEmpty() const { return !m_centre; }
  const engine::Neighbour& centre() const { return *m_centre; }
  const std::vector<engine::Neighbour>& beside() const { return m_beside; }

  /// A question about a side is under way.
  void setLoading(const GraphSide& side) { m_loading.insert(side); }
  void stopLoading(const GraphSide& side) { m_loading.erase(side); }
  bool isLoading(const GraphSide& side) const { return m_loading.contains(side); }

  void open(const GraphSide& side, engine::Neighbours neighbours);
  /// What only hung on it is not shown any more.
  void fold(const GraphSide& side);
  /// Null for one that is folded.
  const OpenSide* find(const GraphSide& side) const;
  const std::map<GraphSide, OpenSide>& sides() const { return m_sides; }

  /// How many neighbours of a group have to be asked for before the next page of cards can be shown.
  std::size_t missingForPage(const GraphSide& side, std::size_t group) const;
  /// Adds what was missing and shows the next page.
  void addPage(const GraphSide& side, std::size_t group, std::vector<engine::Neighbour> neighbours);
  /// Puts a group's cards back on its stack.
  void stackGroup(const GraphSide& side, std::size_t group);
  void showMoreGroups(const GraphSide& side);
  void showMoreRoots(const GraphSide& side);

  void setPaths(GraphPaths paths) { m_paths = std::move(paths); }
  void clearPaths() { m_paths.reset(); }
  const std::optional<GraphPaths>& paths() const { return m_paths; }

 private:
  std::optional<engine::Neighbour> m_centre;
  std::vector<engine::Neighbour> m_beside;
  std::map<GraphSide, OpenSide> m_sides;
  std::set<GraphSide> m_loading;
  std::optional<GraphPaths> m_paths;
};

/// How many neighbours of each group are cards when a side is opened: few ones at once, many as a stack.
std::vector<std::size_t> firstCards(const engine::Neighbours& neighbours);

}  // namespace heapscape::gui
