// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "session/objects/retained_query.h"
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
  /// Retained bytes that flow through those on the stack, and through the groups that are not shown.
  std::uint64_t flowOfStack(std::size_t group) const;
  std::uint64_t flowOfHidden() const;
};

/// Shortest paths from roots to the object in the middle, laid over the picture.
struct GraphPaths {
  std::vector<engine::RootPath> paths;
  std::map<engine::Address, engine::Neighbour> steps;  // the objects on them
};

/// The nodes that are open around an object. The picture follows from it; see graph_picture.h.
class GraphState {
 public:
  static constexpr std::size_t kPage = 10;        // cards, types or roots that a click on "more" adds
  static constexpr std::size_t kFirstGroups = 8;  // types that an opened side begins with
  static constexpr std::size_t kFirstRoots = 4;
  static constexpr std::size_t kFew = 3;    // neighbours that are shown as cards at once
  static constexpr std::size_t kChain = 2;  // steps of a chain that is one card

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
  /// Folds a side; what only hung on it is not shown any more.
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

  /// Shows the first objects of the chain below one as cards of their own.
  void unfold(engine::Address object, std::vector<engine::Neighbour> chain) {
    m_unfolded.insert_or_assign(object, std::move(chain));
  }
  void foldChain(engine::Address object) { m_unfolded.erase(object); }
  /// Null for one that is folded, and for what is none.
  const std::vector<engine::Neighbour>* unfolded(engine::Address object) const;

  void setPaths(GraphPaths paths) { m_paths = std::move(paths); }
  void clearPaths() { m_paths.reset(); }
  const std::optional<GraphPaths>& paths() const { return m_paths; }

 private:
  std::optional<engine::Neighbour> m_centre;
  std::vector<engine::Neighbour> m_beside;
  std::map<GraphSide, OpenSide> m_sides;
  std::set<GraphSide> m_loading;
  std::map<engine::Address, std::vector<engine::Neighbour>> m_unfolded;  // chains, by their first object
  std::optional<GraphPaths> m_paths;
};

/// How many neighbours of each group are cards when a side is opened: few ones at once, many as a stack.
std::vector<std::size_t> firstCards(const engine::Neighbours& neighbours);

// Questions of the graph; all of these run on an engine thread.

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

/// Neighbours [skip, skip + limit) of one type on a side.
engine::Outcome<std::vector<engine::Neighbour>> readNeighbours(const engine::Snapshot& snapshot, const GraphSide& side,
                                                               engine::TypeId type, bool folds, std::size_t skip,
                                                               std::size_t limit, engine::ProgressSink* progress,
                                                               std::stop_token stop);

/// The first objects of the chain below one, as cards.
engine::Outcome<std::vector<engine::Neighbour>> readChain(const engine::Snapshot& snapshot, engine::Address object,
                                                          bool folds, std::stop_token stop);

/// Follows the largest of what an object retains until that is divided: what has to be opened for it to be seen.
struct GraphDescent {
  std::vector<std::pair<GraphSide, engine::Neighbours>> sides;  // from the object on
  engine::Address last;                                         // that is divided, or retains nothing beside itself
};
engine::Outcome<GraphDescent> readDescent(const engine::Snapshot& snapshot, engine::Address object, bool folds,
                                          engine::ProgressSink* progress, std::stop_token stop);

/// Some shortest paths to an object, with what is known of the objects on them; with `folds` without the arrays and
/// nodes of collections.
engine::Outcome<GraphPaths> readPaths(const engine::Snapshot& snapshot, engine::Address object, bool folds,
                                      engine::ProgressSink* progress, std::stop_token stop);

/// An expression of C# for the object, by the shortest path from a root: "Shop.Statics.orders[42].Lines[3]"; empty if
/// nothing holds the object.
engine::Outcome<std::string> readExpression(const engine::Snapshot& snapshot, engine::Address object,
                                            engine::ProgressSink* progress, std::stop_token stop);

}  // namespace heapscape::gui
