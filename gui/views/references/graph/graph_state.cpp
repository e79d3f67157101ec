// SPDX-License-Identifier: MIT
#include "views/references/graph/graph_state.h"

#include <algorithm>

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

}  // namespace heapscape::gui
