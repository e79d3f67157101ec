// SPDX-License-Identifier: MIT
#include "session/roots/root_owners.h"

#include <algorithm>
#include <functional>

namespace heapscape::engine {
namespace {

// Of what an owner holds alone: from then on its one root says who it is.
constexpr double kNearlyAll = 0.95;

class OwnerFinder {
 public:
  explicit OwnerFinder(const HeldRoots& held) : m_held(held) {}

  RootOwners find(std::size_t most) const {
    RootOwners found;
    if (m_held.tree.empty()) return found;
    found.together = m_held.tree[0].alone;
    std::vector<std::uint32_t> nodes = owningNodes();
    std::ranges::stable_sort(nodes, std::greater(), [&](std::uint32_t node) { return m_held.tree[node].alone.bytes; });
    for (const std::uint32_t node : nodes) {
      const Retained& alone = m_held.tree[node].alone;
      if (alone.objects == 0) continue;
      found.together.objects -= alone.objects;
      found.together.bytes -= alone.bytes;
      if (found.owners.size() < most) {
        found.owners.push_back(ownerOf(node));
      } else {
        ++found.others;
        found.ofOthers.objects += alone.objects;
        found.ofOthers.bytes += alone.bytes;
      }
    }
    return found;
  }

 private:
  // The types, threads and kinds below "Statics", "Threads" and "Handles"; what has no such group stands for itself.
  std::vector<std::uint32_t> owningNodes() const {
    std::vector<std::uint32_t> nodes;
    for (const std::uint32_t top : m_held.tree[0].children) {
      const std::vector<std::uint32_t>& below = m_held.tree[top].children;
      if (below.empty())
        nodes.push_back(top);
      else
        nodes.insert(nodes.end(), below.begin(), below.end());
    }
    return nodes;
  }

  RootOwner ownerOf(std::uint32_t node) const {
    RootOwner owner{.name = nameOf(m_held, m_held.tree[node]), .alone = m_held.tree[node].alone};
    const RootTreeNode& above = m_held.tree[m_held.tree[node].parent];
    if (above.name == "Statics") owner.name = "statics of " + owner.name;
    const double nearlyAll = kNearlyAll * static_cast<double>(owner.alone.bytes);
    std::uint32_t at = node;
    // Siblings that hold most come first.
    while (!m_held.tree[at].children.empty()) {
      at = m_held.tree[at].children.front();
      if (static_cast<double>(m_held.tree[at].alone.bytes) < nearlyAll) return owner;
    }
    const std::uint32_t root = m_held.tree[at].root;
    if (root == RootTreeNode::kNone) return owner;
    owner.name = m_held.roots[root].root.name;
    owner.object = m_held.roots[root].root.object;
    return owner;
  }

  const HeldRoots& m_held;
};

}  // namespace

Outcome<RootOwners> largestOwners(const Snapshot& snapshot, std::size_t most, std::stop_token stop) {
  HEAPSCAPE_TRY(const HeldRoots held, listHeldRoots(snapshot, std::move(stop)));
  return OwnerFinder(held).find(most);
}

Outcome<std::vector<HeldRoot>> largestRoots(const Snapshot& snapshot, std::size_t most, std::stop_token stop) {
  HEAPSCAPE_TRY(HeldRoots held, listHeldRoots(snapshot, std::move(stop)));
  std::erase_if(held.roots, [](const HeldRoot& root) { return root.alone.objects == 0; });
  std::ranges::stable_sort(held.roots, std::greater(), [](const HeldRoot& root) { return root.alone.bytes; });
  if (held.roots.size() > most) held.roots.resize(most);
  return std::move(held.roots);
}

}  // namespace heapscape::engine
