// SPDX-License-Identifier: MIT
#include "session/dominators/dominator_nodes.h"

#include <fmt/format.h>

#include <algorithm>

#include "session/dominators/dominator_groups.h"
#include "session/snapshot/contents.h"

namespace heapscape::engine {

DominatorNode describeSet(const DominatedSet& set) {
  DominatorNode node;
  node.kind = DominatorKind::Set;
  node.name = "these objects";
  node.objects = set.objects;
  node.bytes = set.bytes;
  node.retainedBytes = set.retainedBytes;
  node.retainedCount = set.retainedObjects;
  node.children = set.numbers.size();
  return node;
}

std::uint32_t DominatorObjects::firstSet() const {
  return m_contents.retention->tree.reachedCount() + 1;
}

const DominatedSet* DominatorObjects::setOf(std::uint32_t node) const {
  return node < firstSet() ? nullptr : &m_sets[node - firstSet()];
}

bool DominatorObjects::has(std::uint32_t node) const {
  return node < firstSet() || node - firstSet() < m_sets.size();
}

std::uint32_t DominatorObjects::nodeOfSet(DominatedSet set) {
  const auto known = std::ranges::find(m_sets, set);
  const auto place = static_cast<std::uint32_t>(known - m_sets.begin());
  if (known == m_sets.end()) m_sets.push_back(std::move(set));
  return firstSet() + place;
}

std::vector<std::uint32_t> DominatorObjects::membersOf(std::uint32_t node) const {
  const DominatedSet* set = setOf(node);
  return set ? set->numbers : std::vector<std::uint32_t>{node};
}

Outcome<DominatorFamily> DominatorObjects::childrenOf(std::uint32_t node, std::stop_token) {
  if (const DominatedSet* set = setOf(node))
    return DominatorFamily{.listed = set->numbers, .count = static_cast<std::uint32_t>(set->numbers.size())};
  const auto children = m_index.children.of(node);
  return DominatorFamily{.listed = children, .count = static_cast<std::uint32_t>(children.size())};
}

std::uint64_t DominatorObjects::retainedBytes(std::uint32_t node) const {
  if (const DominatedSet* set = setOf(node)) return set->retainedBytes;
  return m_contents.retention->sizes.bytes[node];
}

DominatorNode DominatorObjects::describe(std::uint32_t number) const {
  const Retention& retention = *m_contents.retention;
  DominatorNode node;
  if (const DominatedSet* set = setOf(number)) {
    node = describeSet(*set);
    node.node = number;
    return node;
  }
  node.node = number;
  node.objects = 0;
  node.retainedBytes = retention.sizes.bytes[number];
  node.retainedCount = retention.sizes.objects[number];
  node.children = m_index.children.of(number).size();
  const std::uint32_t vertex = number ? retention.tree.vertexOf(number) : ObjectId::kNone;
  if (number == 0) {
    node.kind = DominatorKind::Whole;
    node.name = "all roots";
  } else if (retention.tree.isObject(vertex)) {
    node.kind = DominatorKind::Object;
    node.type = m_index.typeOf(number);
    if (!node.type.isNone()) node.name = (*m_contents.types)[node.type.value].name;
    node.object = m_contents.heap->index.addressOf({vertex});
    node.objects = 1;
    node.bytes = m_contents.graph->bytesOf(vertex);
  } else if (retention.isGroup(vertex)) {
    node.kind = DominatorKind::RootGroup;
    node.root = retention.groupOf(vertex);
    node.name = retention.roots.groups[node.root].name;
  } else {
    node.root = retention.rootOf(vertex);
    const RootRow& root = retention.roots.roots[node.root];
    node.kind = DominatorKind::Root;
    node.name = root.name;
    node.object = root.object;
    node.roots = 1;
  }
  return node;
}

Outcome<std::vector<std::uint32_t>> DominatorObjects::along(const std::vector<std::uint32_t>& numbers,
                                                            std::stop_token) {
  return numbers;
}

DominatorBrowsing::DominatorBrowsing()
    : m_byType(std::make_unique<DominatorGroupStore>()), m_byNamespace(std::make_unique<DominatorGroupStore>()) {}

DominatorBrowsing::~DominatorBrowsing() = default;

std::unique_ptr<DominatorNodes> DominatorBrowsing::nodesOf(const Contents& contents, const DominatorIndex& index,
                                                           DominatorGrouping grouping) {
  if (grouping == DominatorGrouping::Object) return std::make_unique<DominatorObjects>(contents, index, m_sets);
  const bool byNamespace = grouping == DominatorGrouping::Namespace;
  return std::make_unique<DominatorGroups>(contents, index, byNamespace, byNamespace ? *m_byNamespace : *m_byType);
}

Outcome<void> checkDominatorNode(const DominatorNodes& nodes, std::uint32_t node) {
  if (nodes.has(node)) return {};
  return tl::unexpected(
      Unfinished(Error{ErrorCode::NotFound, fmt::format("The dominator tree has no node {}.", node)}));
}

}  // namespace heapscape::engine
