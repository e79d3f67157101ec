// SPDX-License-Identifier: MIT
#include "session/roots/grouped_roots.h"

#include <algorithm>
#include <unordered_map>

#include "graph/retained/retained_parts.h"
#include "session/snapshot/contents.h"

namespace heapscape::engine {
namespace {

bool isOfThread(RootKind kind) {
  return kind == RootKind::Stack || kind == RootKind::ThreadStatic;
}

}  // namespace

Outcome<HeldRoots> groupHeldRoots(const Snapshot& snapshot, const HeldRoots& held,
                                  const std::vector<std::string>& groupOf, ProgressSink* progress,
                                  std::stop_token stop) {
  if (!snapshot.has(Stage::Retained) || held.tree.empty()) return HeldRoots{};
  HeldRoots grouped{.roots = held.roots, .tree = {}};
  grouped.tree.push_back(held.tree.front());
  grouped.tree.front().children.clear();
  std::unordered_map<std::string, std::uint32_t> nodes;
  std::vector<std::uint32_t> nodeOf;
  std::vector<GroupedRoot> roots;
  const ObjectIndex& index = snapshot.contents().heap->index;
  for (std::uint32_t root = 0; root < grouped.roots.size(); ++root) {
    const auto [known, isNew] = nodes.try_emplace(groupOf[root], static_cast<std::uint32_t>(grouped.tree.size()));
    if (isNew) {
      grouped.tree.push_back({.name = groupOf[root], .alone = {}});
      grouped.tree.front().children.push_back(known->second);
    }
    nodeOf.push_back(known->second);
    const ObjectId object = index.idOf(grouped.roots[root].root.object);
    if (!object.isNone()) roots.push_back({object.value, known->second - 1});
  }
  StageProgress following(progress, "following what each group holds", 0, 1);
  const auto alone =
      heldByGroups(*snapshot.contents().graph, roots, static_cast<std::uint32_t>(grouped.tree.size() - 1),
                   snapshot.retainedTotals().reachableObjects, following, stop);
  if (!alone) return tl::unexpected(Unfinished::cancelled());
  for (std::uint32_t group = 0; group < alone->size(); ++group)
    grouped.tree[group + 1].alone = {(*alone)[group].objects, (*alone)[group].bytes};
  for (std::uint32_t root = 0; root < grouped.roots.size(); ++root) {
    const auto node = static_cast<std::uint32_t>(grouped.tree.size());
    const HeldRoot& row = grouped.roots[root];
    grouped.tree.push_back({.parent = nodeOf[root], .root = root, .roots = 1, .alone = row.alone});
    grouped.tree[nodeOf[root]].children.push_back(node);
    ++grouped.tree[nodeOf[root]].roots;
  }
  sortHeldRoots(grouped);
  return grouped;
}

std::string threadOfRoot(const RootList& list, const RootRow& root) {
  if (!isOfThread(root.kind)) return {};
  for (std::uint32_t group = root.group; group != RootGroup::kNone; group = list.groups[group].parent) {
    if (list.groups[group].owner) return list.groups[group].name;
  }
  return {};
}

}  // namespace heapscape::engine
