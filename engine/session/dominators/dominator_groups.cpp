// SPDX-License-Identifier: MIT
#include "session/dominators/dominator_groups.h"

#include <algorithm>
#include <numeric>
#include <stop_token>
#include <string_view>

#include "base/progress.h"
#include "session/snapshot/contents.h"
#include "session/types/type_query.h"

namespace heapscape::engine {
namespace {

/// Puts together what the members of one group dominate immediately.
class DominatorSiblings {
 public:
  DominatorSiblings(const Contents& contents, const DominatorIndex& index, DominatorGroupStore& store);

  /// False if it was stopped.
  bool gather(std::span<const std::uint32_t> parents, std::stop_token stop);
  /// As gather(), of vertices themselves, none of which dominates another.
  bool gatherThese(std::span<const std::uint32_t> numbers, std::stop_token stop);
  /// Makes them the children of a node, a group for each type.
  void addByType(std::uint32_t parent);
  /// As addByType(), in their namespaces. A namespace that holds nothing but another one is no step of its own.
  void addByNamespace(std::uint32_t parent);

 private:
  /// A part of the types, by their place in m_groups, all in a namespace whose name is that long.
  struct Range {
    std::size_t first = 0;
    std::size_t last = 0;
    std::size_t nameLength = 0;
  };
  struct Pending {
    std::uint32_t node;
    Range range;
  };

  bool place(const std::stop_token& stop);
  std::uint32_t slotOf(std::uint32_t number);
  std::uint32_t newSlot(DominatorKind kind, std::uint32_t key);
  void add(std::uint32_t slot, std::uint32_t number);
  /// Sorts the vertices by their group, and gives each group its own.
  void distribute();
  void sortByNamespace();
  std::string_view namespaceAt(std::size_t group) const;
  Range namespaceFrom(std::size_t first, const Range& within) const;
  DominatorGroup namespaceGroup(const Range& range);
  /// Appends groups as the children of a node, the largest first; tells where each of them went.
  std::vector<std::uint32_t> append(std::uint32_t parent, const std::vector<DominatorGroup>& groups);

  const Contents& m_contents;
  const DominatorIndex& m_index;
  DominatorGroupStore& m_store;
  std::vector<std::uint32_t> m_numbers;  // of what is dominated
  std::vector<std::uint32_t> m_slots;    // the group of each, by position
  std::vector<DominatorGroup> m_groups;
  std::vector<std::uint32_t> m_counts;                                // by slot
  std::vector<std::uint32_t> m_slotsByType;                           // by TypeId, and behind them of no type
  std::unordered_map<std::string_view, std::uint32_t> m_slotsByRoot;  // by name
  std::size_t m_firstType = 0;                                        // roots and their groups stand before it
};

// Siblings lie all over memory: far enough ahead that they have arrived.
constexpr std::size_t kFetchAhead = 24;

/// Whether a namespace is this one or in it.
bool isIn(std::string_view nameSpace, std::string_view outer) {
  return nameSpace.starts_with(outer) && (nameSpace.size() == outer.size() || nameSpace[outer.size()] == '.');
}

/// Where the part of a name ends that follows the first `length` letters and a dot. A part has at least one letter,
/// even in a name of dots.
std::size_t nextPart(std::string_view nameSpace, std::size_t length) {
  const std::size_t dot = nameSpace.find('.', length ? length + 2 : 1);
  return dot == std::string_view::npos ? nameSpace.size() : dot;
}

/// An order in which all namespaces in another one stand right behind it.
bool isBefore(std::string_view a, std::string_view b) {
  const auto rank = [](char letter) { return letter == '.' ? 0 : static_cast<unsigned char>(letter) + 1; };
  return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(),
                                      [&](char x, char y) { return rank(x) < rank(y); });
}

DominatorSiblings::DominatorSiblings(const Contents& contents, const DominatorIndex& index, DominatorGroupStore& store)
    : m_contents(contents), m_index(index), m_store(store) {}

bool DominatorSiblings::gather(std::span<const std::uint32_t> parents, std::stop_token stop) {
  for (const std::uint32_t parent : parents) {
    const auto children = m_index.children.of(parent);
    m_numbers.insert(m_numbers.end(), children.begin(), children.end());
  }
  return place(stop);
}

bool DominatorSiblings::gatherThese(std::span<const std::uint32_t> numbers, std::stop_token stop) {
  m_numbers.assign(numbers.begin(), numbers.end());
  return place(stop);
}

bool DominatorSiblings::place(const std::stop_token& stop) {
  const Retention& retention = *m_contents.retention;
  m_slots.resize(m_numbers.size());
  for (std::size_t i = 0; i < m_numbers.size(); ++i) {
    if (i % kStopInterval == 0 && stop.stop_requested()) return false;
    if (i + kFetchAhead < m_numbers.size()) {
      const std::uint32_t ahead = m_numbers[i + kFetchAhead];
      __builtin_prefetch(&m_index.typesOf[ahead]);
      retention.sizes.bytes.prefetch(ahead);
      retention.sizes.objects.prefetch(ahead);
    }
    m_slots[i] = slotOf(m_numbers[i]);
    add(m_slots[i], m_numbers[i]);
  }
  return true;
}

std::uint32_t DominatorSiblings::newSlot(DominatorKind kind, std::uint32_t key) {
  m_groups.push_back({.kind = kind, .key = key});
  m_counts.push_back(0);
  return static_cast<std::uint32_t>(m_groups.size() - 1);
}

std::uint32_t DominatorSiblings::slotOf(std::uint32_t number) {
  const Retention& retention = *m_contents.retention;
  const std::uint32_t vertex = retention.tree.vertexOf(number);
  if (retention.tree.isObject(vertex)) {
    if (m_slotsByType.empty()) m_slotsByType.assign(m_contents.types->size() + 1, kNone);
    const std::uint32_t type = m_index.typeOf(number).value;
    std::uint32_t& slot = m_slotsByType[std::min<std::size_t>(type, m_contents.types->size())];
    if (slot == kNone) slot = newSlot(DominatorKind::Type, type);
    return slot;
  }
  if (retention.isGroup(vertex)) return newSlot(DominatorKind::RootGroup, retention.groupOf(vertex));
  const std::uint32_t root = retention.rootOf(vertex);
  const auto [slot, isNew] = m_slotsByRoot.try_emplace(retention.roots.roots[root].name, kNone);
  if (isNew) slot->second = newSlot(DominatorKind::Root, root);
  return slot->second;
}

void DominatorSiblings::add(std::uint32_t slot, std::uint32_t number) {
  const Retention& retention = *m_contents.retention;
  DominatorGroup& group = m_groups[slot];
  ++m_counts[slot];
  if (group.kind == DominatorKind::Type) group.bytes += m_contents.graph->bytesOf(retention.tree.vertexOf(number));
  group.retainedBytes += retention.sizes.bytes[number];
  group.retainedCount += retention.sizes.objects[number];
  group.dominated += m_index.children.of(number).size();
}

void DominatorSiblings::distribute() {
  const auto members = m_store.numbers.take(m_numbers.size());
  std::vector<std::size_t> next(m_groups.size());
  std::size_t first = 0;
  for (std::size_t slot = 0; slot < m_groups.size(); ++slot) {
    next[slot] = first;
    m_groups[slot].members = members.subspan(first, m_counts[slot]);
    first += m_counts[slot];
  }
  for (std::size_t i = 0; i < m_numbers.size(); ++i) members[next[m_slots[i]]++] = m_numbers[i];
}

std::vector<std::uint32_t> DominatorSiblings::append(std::uint32_t parent, const std::vector<DominatorGroup>& groups) {
  std::vector<std::uint32_t> order(groups.size());
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return groups[a].retainedBytes > groups[b].retainedBytes; });
  const auto first = static_cast<std::uint32_t>(m_store.groups.size());
  DominatorGroup& opened = m_store.groups[parent];
  opened.isOpen = true;
  opened.firstChild = first;
  opened.childCount = static_cast<std::uint32_t>(groups.size());
  std::vector<std::uint32_t> nodes(groups.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) {
    nodes[order[i]] = first + i;
    m_store.groups.push_back(groups[order[i]]);
  }
  return nodes;
}

void DominatorSiblings::addByType(std::uint32_t parent) {
  distribute();
  append(parent, m_groups);
}

std::string_view DominatorSiblings::namespaceAt(std::size_t group) const {
  const std::uint32_t type = m_groups[group].key;
  return type < m_contents.types->size() ? namespaceOf((*m_contents.types)[type].name) : std::string_view{};
}

void DominatorSiblings::sortByNamespace() {
  std::vector<std::uint32_t> order(m_groups.size());
  std::iota(order.begin(), order.end(), 0u);
  const auto firstType = std::stable_partition(
      order.begin(), order.end(), [this](std::uint32_t slot) { return m_groups[slot].kind != DominatorKind::Type; });
  std::stable_sort(firstType, order.end(),
                   [this](std::uint32_t a, std::uint32_t b) { return isBefore(namespaceAt(a), namespaceAt(b)); });
  m_firstType = static_cast<std::size_t>(firstType - order.begin());

  std::vector<std::uint32_t> places(order.size());
  std::vector<DominatorGroup> groups;
  std::vector<std::uint32_t> counts;
  for (std::uint32_t i = 0; i < order.size(); ++i) {
    places[order[i]] = i;
    groups.push_back(m_groups[order[i]]);
    counts.push_back(m_counts[order[i]]);
  }
  for (std::uint32_t& slot : m_slots) slot = places[slot];
  m_groups = std::move(groups);
  m_counts = std::move(counts);
}

DominatorSiblings::Range DominatorSiblings::namespaceFrom(std::size_t first, const Range& within) const {
  const std::string_view name = namespaceAt(first);
  Range range{first, first + 1, nextPart(name, within.nameLength)};
  while (range.last < within.last && isIn(namespaceAt(range.last), name.substr(0, range.nameLength))) ++range.last;
  // Those between the first and the last one share what these two share.
  while (range.nameLength < name.size()) {
    const std::size_t longer = nextPart(name, range.nameLength);
    if (!isIn(namespaceAt(range.last - 1), name.substr(0, longer))) break;
    range.nameLength = longer;
  }
  return range;
}

DominatorGroup DominatorSiblings::namespaceGroup(const Range& range) {
  DominatorGroup whole{.kind = DominatorKind::Namespace, .key = static_cast<std::uint32_t>(m_store.namespaces.size())};
  m_store.namespaces.emplace_back(namespaceAt(range.first).substr(0, range.nameLength));
  std::size_t members = 0;
  std::size_t largest = range.first;
  for (std::size_t i = range.first; i < range.last; ++i) {
    if (m_groups[i].retainedBytes > m_groups[largest].retainedBytes) largest = i;
    members += m_groups[i].members.size();
    whole.bytes += m_groups[i].bytes;
    whole.retainedBytes += m_groups[i].retainedBytes;
    whole.retainedCount += m_groups[i].retainedCount;
    whole.dominated += m_groups[i].dominated;
  }
  whole.members = {m_groups[range.first].members.data(), members};
  const std::uint32_t type = m_groups[largest].key;
  if (type < m_contents.types->size()) whole.owner = m_contents.ownerOf((*m_contents.types)[type]);
  return whole;
}

void DominatorSiblings::addByNamespace(std::uint32_t parent) {
  sortByNamespace();
  distribute();
  std::vector<Pending> pending{{parent, {m_firstType, m_groups.size(), 0}}};
  for (std::size_t i = 0; i < pending.size(); ++i) {
    const auto [node, within] = pending[i];
    std::vector<DominatorGroup> groups;
    std::vector<Range> ranges;  // empty for a type
    if (i == 0) {
      groups.assign(m_groups.begin(), m_groups.begin() + static_cast<std::ptrdiff_t>(m_firstType));
      ranges.resize(m_firstType);
    }
    for (std::size_t first = within.first; first < within.last;) {
      if (namespaceAt(first).size() <= within.nameLength) {
        groups.push_back(m_groups[first++]);
        ranges.emplace_back();
      } else {
        const Range range = namespaceFrom(first, within);
        groups.push_back(namespaceGroup(range));
        ranges.push_back(range);
        first = range.last;
      }
    }
    const std::vector<std::uint32_t> nodes = append(node, groups);
    for (std::size_t child = 0; child < nodes.size(); ++child) {
      if (ranges[child].nameLength) pending.push_back({nodes[child], ranges[child]});
    }
  }
}

// Groups of 80 bytes each: who opens the tree further than people can look has to close the dump first.
constexpr std::size_t kMostGroups = std::size_t{1} << 22;

}  // namespace

std::span<std::uint32_t> NumberStore::take(std::size_t count) {
  if (count > m_left) {
    m_left = std::max(count, kBlock);
    m_blocks.push_back(std::make_unique<std::uint32_t[]>(m_left));
    m_next = m_blocks.back().get();
  }
  const std::span<std::uint32_t> taken(m_next, count);
  m_next += count;
  m_left -= count;
  return taken;
}

DominatorGroups::DominatorGroups(const Contents& contents, const DominatorIndex& index, bool byNamespace,
                                 DominatorGroupStore& store)
    : m_contents(contents), m_index(index), m_byNamespace(byNamespace), m_store(store) {
  if (!m_store.groups.empty()) return;
  const auto member = m_store.numbers.take(1);
  member[0] = 0;
  const RetainedSizes& sizes = contents.retention->sizes;
  m_store.groups.push_back({.members = member,
                            .retainedBytes = sizes.bytes[0],
                            .retainedCount = sizes.objects[0],
                            .dominated = index.children.of(0).size()});
}

Outcome<DominatorFamily> DominatorGroups::childrenOf(std::uint32_t node, std::stop_token stop) {
  if (!m_store.groups[node].isOpen) {
    if (m_store.groups.size() > kMostGroups) {
      return tl::unexpected(Unfinished(Error{ErrorCode::BadQuery, "Too much of the dominator tree is open by type.",
                                             "Look at it by object, or open the dump anew."}));
    }
    DominatorSiblings siblings(m_contents, m_index, m_store);
    const DominatorGroup& group = m_store.groups[node];
    const bool isSet = group.kind == DominatorKind::Set;
    if (!(isSet ? siblings.gatherThese(group.members, stop) : siblings.gather(group.members, stop)))
      return tl::unexpected(Unfinished::cancelled());
    m_byNamespace ? siblings.addByNamespace(node) : siblings.addByType(node);
  }
  const DominatorGroup& group = m_store.groups[node];
  return DominatorFamily{.first = group.firstChild, .count = group.childCount};
}

std::string DominatorGroups::nameOf(const DominatorGroup& group) const {
  const RootList& roots = m_contents.retention->roots;
  switch (group.kind) {
    case DominatorKind::RootGroup:
      return roots.groups[group.key].name;
    case DominatorKind::Root:
      return roots.roots[group.key].name;
    case DominatorKind::Namespace:
      return m_store.namespaces[group.key];
    case DominatorKind::Object:
    case DominatorKind::Type:
      return group.key == DominatorGroup::kNone ? std::string() : (*m_contents.types)[group.key].name;
    case DominatorKind::Whole:
    case DominatorKind::Set:  // is described by what it is a set of
      break;
  }
  return m_contents.retention->wholeName();
}

DominatorNode DominatorGroups::describe(std::uint32_t id) const {
  const DominatorGroup& group = m_store.groups[id];
  if (group.kind == DominatorKind::Set) {
    DominatorNode set = describeSet(m_store.sets[group.key].first);
    set.node = id;
    return set;
  }
  const bool isOfObjects = group.kind == DominatorKind::Object || group.kind == DominatorKind::Type;
  const DominatorTree& tree = m_contents.retention->tree;
  DominatorNode node;
  node.node = id;
  node.kind = group.kind;
  node.name = nameOf(group);
  if (isOfObjects) node.type = {group.key};
  const bool isTyped = isOfObjects && group.key != DominatorGroup::kNone;
  node.owner = isTyped ? m_contents.ownerOf((*m_contents.types)[group.key]) : group.owner;
  const bool isAlone = group.members.size() == 1;
  if (isOfObjects && isAlone) node.object = m_contents.heap->index.addressOf({tree.vertexOf(group.members[0])});
  if (group.kind == DominatorKind::Root || group.kind == DominatorKind::RootGroup) node.root = group.key;
  if (group.kind == DominatorKind::Root) {
    node.roots = group.members.size();
    if (isAlone) node.object = m_contents.retention->roots.roots[group.key].object;
  }
  node.objects = isOfObjects || group.kind == DominatorKind::Namespace ? group.members.size() : 0;
  node.bytes = group.bytes;
  node.retainedBytes = group.retainedBytes;
  node.retainedCount = group.retainedCount;
  node.children = group.kind == DominatorKind::Namespace ? group.members.size() : group.dominated;
  return node;
}

Outcome<std::uint32_t> DominatorGroups::nodeOf(std::uint32_t number) {
  const auto known = m_store.alone.find(number);
  if (known != m_store.alone.end()) return known->second;
  const auto member = m_store.numbers.take(1);
  member[0] = number;
  const Retention& retention = *m_contents.retention;
  const std::uint32_t vertex = retention.tree.vertexOf(number);
  DominatorGroup group{.members = member,
                       .retainedBytes = retention.sizes.bytes[number],
                       .retainedCount = retention.sizes.objects[number],
                       .dominated = m_index.children.of(number).size()};
  if (retention.tree.isObject(vertex)) {
    group.kind = DominatorKind::Object;
    group.key = m_index.typeOf(number).value;
    group.bytes = m_contents.graph->bytesOf(vertex);
  } else {
    group.kind = retention.isGroup(vertex) ? DominatorKind::RootGroup : DominatorKind::Root;
    group.key = retention.isGroup(vertex) ? retention.groupOf(vertex) : retention.rootOf(vertex);
  }
  const auto node = static_cast<std::uint32_t>(m_store.groups.size());
  m_store.groups.push_back(group);
  m_store.alone.emplace(number, node);
  return node;
}

std::uint32_t DominatorGroups::nodeOfSet(DominatedSet set) {
  const auto known =
      std::ranges::find(m_store.sets, set, [](const auto& each) -> const DominatedSet& { return each.first; });
  if (known != m_store.sets.end()) return known->second;
  const auto members = m_store.numbers.take(set.numbers.size());
  std::ranges::copy(set.numbers, members.begin());
  const auto node = static_cast<std::uint32_t>(m_store.groups.size());
  m_store.groups.push_back({.kind = DominatorKind::Set,
                            .key = static_cast<std::uint32_t>(m_store.sets.size()),
                            .members = members,
                            .bytes = set.bytes,
                            .retainedBytes = set.retainedBytes,
                            .retainedCount = set.retainedObjects,
                            .dominated = set.numbers.size()});
  m_store.sets.emplace_back(std::move(set), node);
  return node;
}

std::vector<std::uint32_t> DominatorGroups::membersOf(std::uint32_t node) const {
  const auto& members = m_store.groups[node].members;
  return {members.begin(), members.end()};
}

Outcome<std::uint32_t> DominatorGroups::childWith(std::uint32_t node, std::uint32_t number, std::stop_token stop) {
  HEAPSCAPE_TRY(const DominatorFamily family, childrenOf(node, stop));
  for (std::uint32_t i = 0; i < family.count; ++i) {
    const auto& members = m_store.groups[family[i]].members;
    if (std::find(members.begin(), members.end(), number) != members.end()) return family[i];
  }
  return DominatorGroup::kNone;
}

Outcome<std::vector<std::uint32_t>> DominatorGroups::along(const std::vector<std::uint32_t>& numbers,
                                                           std::stop_token stop) {
  std::vector<std::uint32_t> nodes;
  std::uint32_t node = 0;
  for (std::size_t i = 0; i < numbers.size();) {
    if (nodes.size() % 4096 == 0 && stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
    HEAPSCAPE_TRY(node, childWith(node, numbers[i], stop));
    if (node == DominatorGroup::kNone) return std::vector<std::uint32_t>{};
    nodes.push_back(node);
    if (m_store.groups[node].kind != DominatorKind::Namespace) ++i;
  }
  return nodes;
}

}  // namespace heapscape::engine
