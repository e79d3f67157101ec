// SPDX-License-Identifier: MIT
#include "session/dominators/dominator_groups.h"

#include <algorithm>

#include "session/dominators/dominator_siblings.h"
#include "session/snapshot/contents.h"

namespace heapscape::engine {
namespace {

// Of 80 bytes each: who opens the tree further than people can look has to close the dump first.
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
  return "all roots";
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
