// SPDX-License-Identifier: MIT
#include "session/roots/held_roots.h"

#include <algorithm>

#include "base/progress.h"
#include "session/objects/referred_object.h"
#include "session/snapshot/contents.h"

namespace heapscape::engine {
namespace {

class RootTreeBuilder {
 public:
  explicit RootTreeBuilder(const Snapshot& snapshot) : m_snapshot(snapshot), m_list(snapshot.roots()) {}

  Outcome<HeldRoots> build(const std::stop_token& stop) {
    m_held.roots.reserve(m_list.roots.size());
    m_held.tree.reserve(m_list.groups.size() + m_list.roots.size() + 1);
    addGroups();
    for (std::uint32_t i = 0; i < m_list.roots.size(); ++i) {
      if (i % kHeavyStopInterval == 0 && stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
      addRoot(i);
    }
    countRoots();
    sortHeldRoots(m_held);
    return std::move(m_held);
  }

 private:
  // Node 0 is the whole, and the groups follow in their order.
  static std::uint32_t nodeOf(std::uint32_t group) { return group == RootGroup::kNone ? 0 : group + 1; }

  void addGroups() {
    const RetainedTotals totals = m_snapshot.retainedTotals();
    m_held.tree.push_back({.name = "All roots", .alone = {totals.reachableObjects, totals.reachableBytes}});
    for (std::uint32_t i = 0; i < m_list.groups.size(); ++i) {
      const RootGroup& group = m_list.groups[i];
      m_held.tree.push_back(
          {.parent = nodeOf(group.parent), .name = group.name, .alone = retainedByGroup(m_snapshot, i)});
      m_held.tree[nodeOf(group.parent)].children.push_back(i + 1);
    }
  }

  void addRoot(std::uint32_t index) {
    const RootRow& root = m_list.roots[index];
    ReferredObject object = referredObject(m_snapshot, root.object);
    const Retained alone = retainedByRoot(m_snapshot, index);
    m_held.roots.push_back({root, std::move(object.typeName), object.methodTable, alone,
                            retainedBytesAt(m_snapshot, root.object).value_or(0)});
    const auto node = static_cast<std::uint32_t>(m_held.tree.size());
    m_held.tree.push_back({.parent = nodeOf(root.group), .root = index, .roots = 1, .alone = alone});
    m_held.tree[nodeOf(root.group)].children.push_back(node);
  }

  // Parents stand before their children.
  void countRoots() {
    for (std::size_t node = m_held.tree.size(); node-- > 1;)
      m_held.tree[m_held.tree[node].parent].roots += m_held.tree[node].roots;
  }

  const Snapshot& m_snapshot;
  const RootList& m_list;
  HeldRoots m_held;
};

}  // namespace

const std::string& nameOf(const HeldRoots& held, const RootTreeNode& node) {
  return node.root == RootTreeNode::kNone ? node.name : held.roots[node.root].root.name;
}

Outcome<HeldRoots> listHeldRoots(const Snapshot& snapshot, std::stop_token stop) {
  if (!snapshot.has(Stage::Retained)) return HeldRoots{};
  return RootTreeBuilder(snapshot).build(stop);
}

void sortHeldRoots(HeldRoots& held) {
  const auto objectBytes = [&](const RootTreeNode& node) {
    return node.root == RootTreeNode::kNone ? 0 : held.roots[node.root].objectRetainedBytes;
  };
  const auto isBefore = [&](std::uint32_t left, std::uint32_t right) {
    const RootTreeNode& a = held.tree[left];
    const RootTreeNode& b = held.tree[right];
    return a.alone.bytes != b.alone.bytes ? a.alone.bytes > b.alone.bytes : objectBytes(a) > objectBytes(b);
  };
  for (RootTreeNode& node : held.tree) std::stable_sort(node.children.begin(), node.children.end(), isBefore);
}

}  // namespace heapscape::engine
