// SPDX-License-Identifier: MIT
#include "views/references/graph/graph_state.h"

#include <algorithm>

#include "query/objects/object_search.h"

namespace heapscape::gui {

namespace {

// Types of which some cards are shown beside their stack; of more, the stacks alone are enough to look at.
constexpr std::size_t kGroupsWithCards = 3;
constexpr std::uint64_t kFewInAll = 8;  // neighbours of all types that are shown as cards at once

}  // namespace

std::vector<std::size_t> firstCards(const engine::Neighbours& neighbours) {
  std::vector<std::size_t> cards;
  for (const engine::NeighbourGroup& group : neighbours.groups) {
    const bool isAlone = group.objects == 1;
    const bool areAll = isAlone || neighbours.objects <= kFewInAll;
    const bool areSome = neighbours.groups.size() <= kGroupsWithCards;
    std::size_t shown = areAll ? group.first.size() : areSome ? GraphState::kFew : 0;
    shown = std::min(shown, group.first.size());
    // A stack of one would be no smaller than its card.
    if (group.objects - shown == 1 && group.first.size() > shown) ++shown;
    cards.push_back(shown);
  }
  return cards;
}

std::uint64_t OpenSide::flowOfStack(std::size_t group) const {
  const engine::NeighbourGroup& of = neighbours.groups[group];
  std::uint64_t flow = of.flowBytes;
  for (std::size_t card = 0; card < cards[group]; ++card) flow -= of.first[card].flowBytes;
  return flow;
}

std::uint64_t OpenSide::flowOfHidden() const {
  std::uint64_t flow = 0;
  for (std::size_t group = groups; group < neighbours.groups.size(); ++group)
    flow += neighbours.groups[group].flowBytes;
  return flow;
}

const std::vector<engine::Neighbour>* GraphState::unfolded(engine::Address object) const {
  const auto found = m_unfolded.find(object);
  return found == m_unfolded.end() ? nullptr : &found->second;
}

void GraphState::start(engine::Neighbour centre) {
  clear();
  m_centre = std::move(centre);
}

void GraphState::open(const GraphSide& side, engine::Neighbours neighbours) {
  stopLoading(side);
  OpenSide open;
  open.cards = firstCards(neighbours);
  open.groups = std::min(kFirstGroups, neighbours.groups.size());
  open.roots = std::min(kFirstRoots, neighbours.roots.size());
  open.neighbours = std::move(neighbours);
  m_sides.insert_or_assign(side, std::move(open));
}

void GraphState::fold(const GraphSide& side) {
  stopLoading(side);
  m_sides.erase(side);
}

const OpenSide* GraphState::find(const GraphSide& side) const {
  const auto found = m_sides.find(side);
  return found == m_sides.end() ? nullptr : &found->second;
}

std::size_t GraphState::missingForPage(const GraphSide& side, std::size_t group) const {
  const OpenSide* open = find(side);
  if (!open || group >= open->neighbours.groups.size()) return 0;
  const engine::NeighbourGroup& of = open->neighbours.groups[group];
  const std::size_t wanted = std::min<std::size_t>(open->cards[group] + kPage, of.objects);
  return wanted - std::min(wanted, of.first.size());
}

void GraphState::addPage(const GraphSide& side, std::size_t group, std::vector<engine::Neighbour> neighbours) {
  const auto found = m_sides.find(side);
  if (found == m_sides.end() || group >= found->second.cards.size()) return;
  OpenSide& open = found->second;
  std::vector<engine::Neighbour>& known = open.neighbours.groups[group].first;
  known.insert(known.end(), std::make_move_iterator(neighbours.begin()), std::make_move_iterator(neighbours.end()));
  open.cards[group] = std::min(open.cards[group] + kPage, known.size());
}

void GraphState::stackGroup(const GraphSide& side, std::size_t group) {
  const auto found = m_sides.find(side);
  if (found != m_sides.end() && group < found->second.cards.size()) found->second.cards[group] = 0;
}

void GraphState::showMoreGroups(const GraphSide& side) {
  const auto found = m_sides.find(side);
  if (found == m_sides.end()) return;
  found->second.groups = std::min(found->second.groups + kPage, found->second.neighbours.groups.size());
}

void GraphState::showMoreRoots(const GraphSide& side) {
  const auto found = m_sides.find(side);
  if (found == m_sides.end()) return;
  found->second.roots = std::min(found->second.roots + kPage, found->second.neighbours.roots.size());
}

namespace {

constexpr std::size_t kPaths = 3;
constexpr std::size_t kStepsOfPath = 10;  // more would push everything else aside

/// Leaves out the arrays and nodes of a collection that is on the path itself; what it refers to as an item has no
/// name then, unless it is known from its neighbours.
void leaveOutStorage(engine::RootPath& path, const std::map<engine::Address, engine::Neighbour>& objects) {
  std::vector<engine::PathStep> kept;
  bool wasLeftOut = false;
  for (std::size_t i = 0; i < path.steps.size(); ++i) {
    const auto known = objects.find(path.steps[i].object);
    const bool isLast = i + 1 == path.steps.size();
    const bool isStorage = !isLast && !kept.empty() && known != objects.end() && known->second.storageOf;
    if (isStorage) {
      if (i < path.leftOutAfter && path.stepsLeftOut > 0) --path.leftOutAfter;
    } else {
      kept.push_back(path.steps[i]);
      if (wasLeftOut) kept.back().via.clear();
    }
    wasLeftOut = isStorage;
  }
  path.steps = std::move(kept);
}

engine::Neighbourhood flowing(bool folds) {
  return {.foldCollections = folds, .followsFlow = true};
}

}  // namespace

engine::Outcome<engine::Neighbours> readSide(const engine::Snapshot& snapshot, const GraphSide& side, bool folds,
                                             engine::ProgressSink* progress, std::stop_token stop) {
  engine::NeighbourOptions options;
  options.perGroup = kNamedNeighbours;
  options.hood = flowing(folds);
  return engine::neighboursOf(snapshot, side.object, side.direction, options, progress, std::move(stop));
}

engine::Outcome<GraphStart> readStart(const engine::Snapshot& snapshot, engine::Address object, bool folds,
                                      engine::ProgressSink* progress, std::stop_token stop) {
  GraphStart start;
  HEAPSCAPE_TRY(start.held, readSide(snapshot, {object, engine::Direction::Held}, folds, progress, stop));
  HEAPSCAPE_TRY(start.holders, readSide(snapshot, {object, engine::Direction::Holders}, folds, progress, stop));
  std::vector<engine::Neighbour> described = engine::describeObjects(snapshot, {object}, stop, flowing(folds));
  if (described.empty()) return tl::unexpected(engine::Unfinished::cancelled());
  start.centre = std::move(described.front());
  return start;
}

engine::Outcome<GraphStart> readSetStart(const engine::Snapshot& snapshot, const std::vector<std::uint32_t>& objects,
                                         bool folds, engine::ProgressSink* progress, std::stop_token stop) {
  std::vector<std::uint32_t> largest = objects;
  const auto shown = static_cast<std::ptrdiff_t>(std::min(kMostStarts, largest.size()));
  std::ranges::partial_sort(largest, largest.begin() + shown, std::ranges::greater(), [&](std::uint32_t object) {
    return std::pair(engine::retainedBytesOf(snapshot, {object}), ~object);
  });
  std::vector<engine::Address> addresses;
  for (auto object = largest.begin(); object != largest.begin() + shown; ++object)
    addresses.push_back(engine::addressOfObject(snapshot, *object));
  GraphStart start;
  start.objects = objects.size();
  for (engine::Neighbour& object : engine::describeObjects(snapshot, addresses, stop, flowing(folds))) {
    HEAPSCAPE_TRY(engine::Neighbours holders,
                  readSide(snapshot, {object.object, engine::Direction::Holders}, folds, progress, stop));
    if (start.centre.object) {
      start.beside.emplace_back(std::move(object), std::move(holders));
    } else {
      start.centre = std::move(object);
      start.holders = std::move(holders);
    }
  }
  if (stop.stop_requested()) return tl::unexpected(engine::Unfinished::cancelled());
  if (start.centre.object) return start;
  return tl::unexpected(
      engine::Unfinished(engine::Error{engine::ErrorCode::NotFound, "There are no objects to begin with."}));
}

engine::Outcome<std::vector<engine::Neighbour>> readNeighbours(const engine::Snapshot& snapshot, const GraphSide& side,
                                                               engine::TypeId type, bool folds, std::size_t skip,
                                                               std::size_t limit, engine::ProgressSink* progress,
                                                               std::stop_token stop) {
  return engine::neighboursOfType(snapshot, side.object, side.direction, type, flowing(folds), skip, limit, progress,
                                  std::move(stop));
}

engine::Outcome<std::vector<engine::Neighbour>> readChain(const engine::Snapshot& snapshot, engine::Address object,
                                                          bool folds, std::stop_token stop) {
  return engine::chainBelow(snapshot, object, folds, GraphState::kPage, std::move(stop));
}

engine::Outcome<GraphDescent> readDescent(const engine::Snapshot& snapshot, engine::Address object, bool folds,
                                          engine::ProgressSink* progress, std::stop_token stop) {
  GraphDescent descent;
  descent.last = object;
  const auto open = [&](engine::Address at) -> engine::Outcome<const engine::Neighbour*> {
    const GraphSide side{at, engine::Direction::Held};
    HEAPSCAPE_TRY(engine::Neighbours held, readSide(snapshot, side, folds, progress, stop));
    descent.sides.emplace_back(side, std::move(held));
    descent.last = at;
    const engine::Neighbour* largest = nullptr;
    for (const engine::NeighbourGroup& group : descent.sides.back().second.groups) {
      for (const engine::Neighbour& neighbour : group.first) {
        if (neighbour.flowBytes > (largest ? largest->flowBytes : 0)) largest = &neighbour;
      }
    }
    return largest;
  };
  HEAPSCAPE_TRY(const engine::Neighbour* largest, open(object));
  if (!largest) return descent;
  const engine::Neighbour child = *largest;
  // A short chain is cards of its own, each with its own side.
  const bool isOneCard = child.chain.size() >= GraphState::kChain;
  if (!isOneCard && !child.chain.empty()) HEAPSCAPE_CHECK(open(child.object));
  HEAPSCAPE_CHECK(open(child.chain.empty() ? child.object : child.chain.back().object));
  return descent;
}

engine::Outcome<GraphPaths> readPaths(const engine::Snapshot& snapshot, engine::Address object, bool folds,
                                      engine::ProgressSink* progress, std::stop_token stop) {
  engine::PathOptions options;
  options.paths = kPaths;
  options.steps = kStepsOfPath;
  HEAPSCAPE_TRY(engine::RootPathList found, engine::pathsToRoots(snapshot, object, options, progress, stop));
  GraphPaths paths;
  std::vector<engine::Address> objects;
  for (const engine::RootPath& path : found.paths) {
    for (const engine::PathStep& step : path.steps) objects.push_back(step.object);
  }
  for (engine::Neighbour& step : engine::describeObjects(snapshot, objects, stop, flowing(folds))) {
    const engine::Address address = step.object;
    paths.steps.emplace(address, std::move(step));
  }
  paths.paths = std::move(found.paths);
  if (!folds) return paths;
  for (engine::RootPath& path : paths.paths) leaveOutStorage(path, paths.steps);
  return paths;
}

engine::Outcome<std::string> readExpression(const engine::Snapshot& snapshot, engine::Address object,
                                            engine::ProgressSink* progress, std::stop_token stop) {
  engine::PathOptions options;
  options.paths = 1;
  HEAPSCAPE_TRY(const engine::RootPathList found,
                engine::pathsToRoots(snapshot, object, options, progress, std::move(stop)));
  return found.paths.empty() ? std::string() : found.paths.front().expression;
}

}  // namespace heapscape::gui
