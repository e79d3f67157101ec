// SPDX-License-Identifier: MIT
#include "session/roots/held_together.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/figures.h"
#include "base/large_array.h"
#include "session/objects/retained_query.h"
#include "session/snapshot/contents.h"

namespace heapscape::engine {
namespace {

constexpr std::size_t kMostSets = 200'000;  // of owners, that are told apart

/// Sets of owners by a number of their own. Large ones are all the same one.
class OwnerSets {
 public:
  static constexpr std::uint32_t kEmpty = 0;
  static constexpr std::uint32_t kMany = 1;

  OwnerSets() : m_sets(2) {}

  std::uint32_t with(std::uint32_t set, std::uint32_t owner) { return both(set, of({owner})); }
  std::uint32_t both(std::uint32_t left, std::uint32_t right) {
    if (left == right || right == kEmpty) return left;
    if (left == kEmpty) return right;
    if (left == kMany || right == kMany) return kMany;
    const auto [known, isNew] = m_unions.try_emplace(std::uint64_t{left} << 32 | right, kMany);
    if (!isNew) return known->second;
    std::vector<std::uint32_t> all;
    std::ranges::set_union(m_sets[left], m_sets[right], std::back_inserter(all));
    const std::uint32_t set = all.size() > kMostOwners ? kMany : of(std::move(all));
    m_unions.at(std::uint64_t{left} << 32 | right) = set;
    return set;
  }
  const std::vector<std::uint32_t>& ownersIn(std::uint32_t set) const { return m_sets[set]; }
  std::size_t size() const { return m_sets.size(); }

 private:
  std::uint32_t of(std::vector<std::uint32_t> owners) {
    const auto [known, isNew] = m_numbers.try_emplace(owners, static_cast<std::uint32_t>(m_sets.size()));
    if (isNew) m_sets.push_back(std::move(owners));
    return known->second;
  }

  std::vector<std::vector<std::uint32_t>> m_sets;  // ascending
  std::map<std::vector<std::uint32_t>, std::uint32_t> m_numbers;
  std::unordered_map<std::uint64_t, std::uint32_t> m_unions;
};

/// Finds the owners of all that no owner alone dominates. An object and all that it dominates have the same ones, so
/// that only the tops of such parts are looked at. Owners by their node in the tree of roots.
class Combinations {
 public:
  /// What one combination holds; `parent`: the node that all its owners are below.
  struct Held {
    std::uint32_t parent = 0;
    std::uint32_t set = OwnerSets::kEmpty;
    Retained bytes;
    std::uint32_t largest = 0;  // the part of it that retains most, by number in the dominator tree
  };

  Combinations(const Snapshot& snapshot, std::stop_token stop)
      : m_contents(snapshot.contents()), m_retention(*m_contents.retention), m_stop(std::move(stop)) {}

  /// False if there are too many of them. Fails if it was stopped.
  Outcome<bool> find(StageProgress& progress) {
    HEAPSCAPE_CHECK(divide());
    HEAPSCAPE_CHECK(startFromRoots());
    HEAPSCAPE_CHECK(spread(progress));
    return m_sets.size() <= kMostSets;
  }

  std::vector<Held> held() const {
    std::map<std::pair<std::uint32_t, std::uint32_t>, Held> sums;
    for (const Part& part : m_parts) {
      Held& sum = sums[{part.parent, part.set}];
      sum.bytes.objects += m_retention.sizes.objects[part.top];
      sum.bytes.bytes += m_retention.sizes.bytes[part.top];
      if (!sum.largest || m_retention.sizes.bytes[part.top] > m_retention.sizes.bytes[sum.largest])
        sum.largest = part.top;
    }
    std::vector<Held> held;
    for (auto& [key, sum] : sums) {
      sum.parent = key.first;
      sum.set = key.second;
      held.push_back(sum);
    }
    return held;
  }
  /// The parts of combinations that are told, those that retain most first.
  std::vector<std::vector<std::uint32_t>> partsOf(const std::vector<Held>& told) const {
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> places;
    for (std::size_t i = 0; i < told.size(); ++i) places[{told[i].parent, told[i].set}] = i;
    std::vector<std::vector<std::uint32_t>> parts(told.size());
    for (const Part& part : m_parts) {
      if (const auto place = places.find({part.parent, part.set}); place != places.end())
        parts[place->second].push_back(part.top);
    }
    for (std::vector<std::uint32_t>& each : parts)
      std::ranges::stable_sort(each, std::ranges::greater(),
                               [this](std::uint32_t top) { return retainedBy(top).bytes; });
    return parts;
  }
  Retained retainedBy(std::uint32_t number) const {
    return {.objects = m_retention.sizes.objects[number], .bytes = m_retention.sizes.bytes[number]};
  }
  Address objectOf(std::uint32_t number) const {
    return m_contents.heap->index.addressOf(ObjectId{m_retention.tree.vertexOf(number)});
  }
  const std::vector<std::uint32_t>& ownersIn(std::uint32_t set) const { return m_sets.ownersIn(set); }

 private:
  static constexpr std::uint32_t kNone = 0xffffffff;
  static constexpr std::uint32_t kPart = 0x80000000;  // else what a place holds is an owner

  struct Part {
    std::uint32_t top = 0;     // number in the dominator tree
    std::uint32_t parent = 0;  // node of the group that dominates it
    std::uint32_t set = OwnerSets::kEmpty;
    bool isWaiting = false;
  };

  std::uint32_t nodeOfGroup(std::uint32_t group) const { return group == RootGroup::kNone ? 0 : group + 1; }

  /// The group right below one at the top, or that one itself for roots that are in no other.
  std::uint32_t ownerOfRoot(std::uint32_t root) const {
    const std::vector<RootGroup>& groups = m_retention.roots.groups;
    std::uint32_t group = m_retention.roots.roots[root].group;
    if (group == RootGroup::kNone) return 1 + static_cast<std::uint32_t>(groups.size()) + root;
    while (groups[group].parent != RootGroup::kNone && groups[groups[group].parent].parent != RootGroup::kNone)
      group = groups[group].parent;
    return nodeOfGroup(group);
  }

  /// The owner of all that a group or root dominates; none for a group of owners.
  std::uint32_t ownerOfVertex(std::uint32_t vertex) const {
    if (!m_retention.isGroup(vertex)) return ownerOfRoot(m_retention.rootOf(vertex));
    const std::vector<RootGroup>& groups = m_retention.roots.groups;
    std::uint32_t group = m_retention.groupOf(vertex);
    if (groups[group].parent == RootGroup::kNone) return m_ownsItself[group] ? nodeOfGroup(group) : kNone;
    while (groups[groups[group].parent].parent != RootGroup::kNone) group = groups[group].parent;
    return nodeOfGroup(group);
  }

  /// What each vertex belongs to: an owner that dominates it, or a part of what several hold together.
  Outcome<void> divide() {
    const DominatorTree& tree = m_retention.tree;
    const std::vector<RootGroup>& groups = m_retention.roots.groups;
    // A group at the top without groups in it is an owner.
    m_ownsItself.assign(groups.size(), true);
    for (const RootGroup& group : groups) {
      if (group.parent != RootGroup::kNone) m_ownsItself[group.parent] = false;
    }
    m_places = LargeArray<std::uint32_t>(std::size_t{tree.reachedCount()} + 1);
    m_places[0] = kNone;
    for (std::uint32_t number = 1; number <= tree.reachedCount(); ++number) {
      if (number % kStopInterval == 0 && m_stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
      const std::uint32_t vertex = tree.vertexOf(number);
      if (!tree.isObject(vertex)) {
        m_places[number] = ownerOfVertex(vertex);
        continue;
      }
      const std::uint32_t dominator = tree.dominatorOf(number);
      m_places[number] = m_places[dominator];
      if (m_places[number] != kNone) continue;
      m_places[number] = kPart | static_cast<std::uint32_t>(m_parts.size());
      const std::uint32_t above = dominator ? nodeOfGroup(m_retention.groupOf(tree.vertexOf(dominator))) : 0;
      m_parts.push_back({.top = number, .parent = above});
    }
    return {};
  }

  void give(std::uint32_t object, std::uint32_t set) {
    const std::uint32_t number = m_retention.tree.numberOf(object);
    if (!number || m_places[number] == kNone || !(m_places[number] & kPart)) return;
    Part& part = m_parts[m_places[number] & ~kPart];
    const std::uint32_t both = m_sets.both(part.set, set);
    if (both == part.set) return;
    part.set = both;
    if (std::exchange(part.isWaiting, true)) return;
    m_waiting.push_back(m_places[number] & ~kPart);
  }

  Outcome<void> startFromRoots() {
    const std::vector<RootRow>& roots = m_retention.roots.roots;
    for (std::uint32_t root = 0; root < roots.size(); ++root) {
      const ObjectId object = m_contents.heap->index.idOf(roots[root].object);
      if (!object.isNone()) give(object.value, m_sets.with(OwnerSets::kEmpty, ownerOfRoot(root)));
    }
    const DominatorTree& tree = m_retention.tree;
    for (std::uint32_t number = 1; number <= tree.reachedCount(); ++number) {
      if (number % kStopInterval == 0 && m_stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
      const std::uint32_t vertex = tree.vertexOf(number);
      if (!tree.isObject(vertex) || m_places[number] & kPart) continue;
      const std::uint32_t set = m_sets.with(OwnerSets::kEmpty, m_places[number]);
      for (const std::uint32_t target : m_contents.graph->targetsOf(vertex)) give(target, set);
    }
    return {};
  }

  /// Sets grow, and only up to kMostOwners: so often at most a part is passed.
  Outcome<void> spread(StageProgress& progress) {
    const DominatorTree& tree = m_retention.tree;
    std::uint64_t steps = 0;
    while (!m_waiting.empty() && m_sets.size() <= kMostSets) {
      const std::uint32_t part = m_waiting.front();
      m_waiting.pop_front();
      m_parts[part].isWaiting = false;
      const std::uint32_t set = m_parts[part].set;
      const std::uint32_t end = m_parts[part].top + m_retention.sizes.objects[m_parts[part].top];
      for (std::uint32_t number = m_parts[part].top; number < end; ++number) {
        if (++steps % kStopInterval == 0 && m_stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
        for (const std::uint32_t target : m_contents.graph->targetsOf(tree.vertexOf(number))) give(target, set);
      }
      progress.report(static_cast<double>(std::min<std::uint64_t>(steps, tree.reachedCount())) /
                      std::max(1u, tree.reachedCount()));
    }
    return {};
  }

  const Contents& m_contents;
  const Retention& m_retention;
  std::stop_token m_stop;
  OwnerSets m_sets;
  std::vector<bool> m_ownsItself;      // by group
  LargeArray<std::uint32_t> m_places;  // by number: the owner, or kPart and the part
  std::vector<Part> m_parts;
  std::deque<std::uint32_t> m_waiting;
};

std::string nameOfOwner(const HeldRoots& held, const RootList& list, std::uint32_t node) {
  const RootTreeNode& owner = held.tree[node];
  const bool isGroup = node > 0 && node <= list.groups.size();
  const std::uint32_t parent = isGroup ? list.groups[node - 1].parent : RootGroup::kNone;
  const bool isOfStatics = parent != RootGroup::kNone && list.groups[parent].name == "Statics";
  return isOfStatics && owner.place.empty() ? fmt::format("statics of {}", owner.name) : nameOf(held, owner);
}

/// Puts first the owners that tell a set apart from the others: a name that is cut behind them still says which one it
/// is.
std::vector<std::uint32_t> distinctFirst(const std::vector<std::uint32_t>& owners,
                                         const std::vector<std::vector<std::uint32_t>>& sets) {
  std::vector<const std::vector<std::uint32_t>*> alike;  // have all owners that stand in front so far
  for (const std::vector<std::uint32_t>& set : sets)
    if (set != owners) alike.push_back(&set);
  std::vector<std::uint32_t> left = owners, ordered;
  while (!left.empty()) {
    const auto setsWith = [&](std::uint32_t owner) {
      return std::ranges::count_if(alike, [owner](const auto* set) { return std::ranges::binary_search(*set, owner); });
    };
    const auto next = std::ranges::min_element(left, {}, setsWith);
    const std::uint32_t owner = *next;
    left.erase(next);
    ordered.push_back(owner);
    std::erase_if(alike, [owner](const auto* set) { return !std::ranges::binary_search(*set, owner); });
  }
  return ordered;
}

std::string joined(const std::vector<std::string>& owners) {
  if (owners.empty()) return fmt::format("more than {} owners", kMostOwners);
  return fmt::format("{}", fmt::join(owners, " + "));
}

/// The node for what several lines of a group hold together; none if there is no such thing.
std::optional<std::uint32_t> addLine(HeldRoots& held, std::uint32_t group) {
  Retained together = held.tree[group].alone;
  for (const std::uint32_t child : held.tree[group].children) {
    together.bytes -= held.tree[child].alone.bytes;
    together.objects -= held.tree[child].alone.objects;
  }
  if (together.bytes == 0) return std::nullopt;
  const auto node = static_cast<std::uint32_t>(held.tree.size());
  held.tree.push_back(
      {.parent = group, .name = "Held by several roots together", .alone = together, .isTogether = true});
  held.tree[group].children.push_back(node);
  return node;
}

void addRest(HeldRoots& held, std::uint32_t line, std::string name, const Retained& rest) {
  const auto node = static_cast<std::uint32_t>(held.tree.size());
  held.tree.push_back({.parent = line, .name = std::move(name), .alone = rest, .isTogether = true});
  held.tree[line].children.push_back(node);
}

/// The objects that a combination is made of.
void addParts(const Snapshot& snapshot, HeldRoots& held, const Combinations& combinations, std::uint32_t combination,
              const std::vector<std::uint32_t>& parts) {
  if (parts.size() < 2) return;
  const std::size_t shown = parts.size() > kMostParts + 1 ? kMostParts : parts.size();
  Retained rest = held.tree[combination].alone;
  for (std::size_t i = 0; i < shown; ++i) {
    const Address object = combinations.objectOf(parts[i]);
    const Retained retained = combinations.retainedBy(parts[i]);
    const auto row = retainedOf(snapshot, object);
    const auto node = static_cast<std::uint32_t>(held.tree.size());
    held.tree.push_back({.parent = combination,
                         .name = row ? snapshot.typeName(row->type) : std::string(),
                         .alone = retained,
                         .isTogether = true,
                         .largest = object});
    held.tree[combination].children.push_back(node);
    rest.bytes -= retained.bytes;
    rest.objects -= retained.objects;
  }
  if (shown < parts.size()) addRest(held, combination, countOf(parts.size() - shown, "smaller object"), rest);
}

/// The combinations of a line, and below each the objects that it is made of.
void addCombined(const Snapshot& snapshot, HeldRoots& held, const Combinations& combinations, std::uint32_t line,
                 const std::vector<Combinations::Held>& combined) {
  std::vector<std::vector<std::uint32_t>> sets;
  for (const Combinations::Held& one : combined) sets.push_back(combinations.ownersIn(one.set));
  const std::vector<std::vector<std::uint32_t>> parts = combinations.partsOf(combined);
  for (std::size_t i = 0; i < combined.size(); ++i) {
    std::vector<std::string> owners;
    for (const std::uint32_t owner : distinctFirst(sets[i], sets))
      owners.push_back(nameOfOwner(held, snapshot.roots(), owner));
    const auto node = static_cast<std::uint32_t>(held.tree.size());
    held.tree.push_back({.parent = line,
                         .name = joined(owners),
                         .alone = combined[i].bytes,
                         .isTogether = true,
                         .largest = combinations.objectOf(combined[i].largest)});
    held.tree[line].children.push_back(node);
    addParts(snapshot, held, combinations, node, parts[i]);
  }
}

}  // namespace

void addHeldTogether(HeldRoots& held) {
  const std::size_t groups = held.tree.size();
  for (std::uint32_t node = 0; node < groups; ++node) {
    if (held.tree[node].root == RootTreeNode::kNone && !held.tree[node].children.empty()) addLine(held, node);
  }
  sortHeldRoots(held);
}

Outcome<void> addCombinations(const Snapshot& snapshot, HeldRoots& held, std::size_t limit, ProgressSink* progress,
                              std::stop_token stop) {
  if (!snapshot.has(Stage::Retained) || held.tree.empty()) return {};
  addHeldTogether(held);
  StageProgress finding(progress, "finding who holds what together", 0, 1);
  Combinations combinations(snapshot, std::move(stop));
  HEAPSCAPE_TRY(const bool areTold, combinations.find(finding));
  if (!areTold) return {};
  std::vector<Combinations::Held> all = combinations.held();
  std::ranges::stable_sort(all, std::ranges::greater(), [](const auto& one) { return one.bytes.bytes; });
  std::map<std::uint32_t, std::uint32_t> lines;  // by group
  for (std::uint32_t node = 0; node < held.tree.size(); ++node) {
    if (held.tree[node].isTogether) lines.emplace(held.tree[node].parent, node);
  }
  std::map<std::uint32_t, std::vector<Combinations::Held>> told;       // by line
  std::map<std::uint32_t, std::pair<std::uint64_t, Retained>> others;  // the same
  for (const Combinations::Held& one : all) {
    const auto line = lines.find(one.parent);
    if (line == lines.end()) continue;
    if (told[line->second].size() < limit) {
      told[line->second].push_back(one);
      continue;
    }
    auto& [count, sum] = others[line->second];
    ++count;
    sum.bytes += one.bytes.bytes;
    sum.objects += one.bytes.objects;
  }
  for (const auto& [line, combined] : told) addCombined(snapshot, held, combinations, line, combined);
  for (const auto& [line, rest] : others) addRest(held, line, countOf(rest.first, "other combination"), rest.second);
  return {};
}

}  // namespace heapscape::engine
