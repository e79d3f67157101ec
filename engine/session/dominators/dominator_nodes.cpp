// SPDX-License-Identifier: MIT
#include "session/dominators/dominator_nodes.h"

#include <fmt/format.h>
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <limits>

#include "graph/retained/retained_parts.h"
#include "session/dominators/dominator_groups.h"
#include "session/snapshot/contents.h"

namespace heapscape::engine {
namespace {

LargeArray<std::uint32_t> typesByNumber(const Contents& contents) {
  const std::shared_ptr<const ObjectTypes> types = contents.typesOfObjects();
  const DominatorTree& tree = contents.retention->tree;
  LargeArray<std::uint32_t> byNumber(std::size_t{tree.reachedCount()} + 1);
  byNumber[0] = TypeId::kNone;
  tbb::parallel_for(tbb::blocked_range<std::uint32_t>(1, tree.reachedCount() + 1, 1 << 16), [&](const auto& part) {
    for (std::uint32_t number = part.begin(); number < part.end(); ++number) {
      const std::uint32_t vertex = tree.vertexOf(number);
      byNumber[number] = tree.isObject(vertex) ? (*types)[vertex] : TypeId::kNone;
    }
  });
  return byNumber;
}

}  // namespace

Outcome<DominatorIndex> makeDominatorIndex(const Contents& contents, std::stop_token stop) {
  DominatorIndex index{DominatorChildren(contents.retention->tree), {}};
  if (!index.children.sortByRetained(contents.retention->sizes, stop)) return tl::unexpected(Unfinished::cancelled());
  index.typesOf = typesByNumber(contents);
  if (stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
  return index;
}

Outcome<DominatedSet> dominatedSet(const Contents& contents, std::span<const std::uint32_t> objects,
                                   ProgressSink* progress, std::stop_token stop) {
  const Retention& retention = *contents.retention;
  std::vector<std::uint32_t> roots = retention.tops;
  for (const RootRow& root : retention.roots.roots) {
    if (const ObjectId id = contents.heap->index.idOf(root.object); !id.isNone()) roots.push_back(id.value);
  }
  StageProgress following(progress, "following what would still be held", 0, 1);
  RetainedPartsFinder finder(*contents.graph, retention.tree, retention.sizes, roots,
                             std::numeric_limits<std::uint64_t>::max());
  const auto parts = finder.without({.members = objects, .progress = &following}, stop);
  if (!parts) return tl::unexpected(Unfinished::cancelled());
  DominatedSet set{.retainedObjects = parts->objects, .retainedBytes = parts->bytes};
  for (const std::uint32_t object : objects) {
    if (!retention.tree.numberOf(object)) continue;
    ++set.objects;
    set.bytes += contents.graph->bytesOf(object);
  }
  for (const std::uint32_t top : parts->tops) set.numbers.push_back(retention.tree.numberOf(top));
  std::ranges::stable_sort(set.numbers, std::ranges::greater(),
                           [&](std::uint32_t number) { return retention.sizes.bytes[number]; });
  return set;
}

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
    node.name = retention.wholeName();
  } else if (retention.tree.isObject(vertex)) {
    node.kind = DominatorKind::Object;
    node.type = m_index.typeOf(number);
    if (!node.type.isNone()) {
      node.name = (*m_contents.types)[node.type.value].name;
      node.owner = m_contents.ownerOf((*m_contents.types)[node.type.value]);
    }
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
