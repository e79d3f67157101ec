// SPDX-License-Identifier: MIT
#include "session/roots/root_owners.h"

#include <algorithm>
#include <functional>

#include "base/short_type_name.h"
#include "session/objects/object_query.h"
#include "session/snapshot/contents.h"

namespace heapscape::engine {
namespace {

// Of what an owner holds alone: from then on its one root says who it is.
constexpr double kNearlyAll = 0.95;

class OwnerFinder {
 public:
  OwnerFinder(const Snapshot& snapshot, const HeldRoots& held) : m_snapshot(snapshot), m_held(held) {}

  RootOwners find(std::size_t most) const {
    RootOwners found;
    if (m_held.tree.empty()) return found;
    found.together = m_held.tree[0].alone;
    std::vector<Candidate> candidates;
    for (const std::uint32_t node : owningNodes()) {
      const Retained& alone = m_held.tree[node].alone;
      if (alone.objects == 0) continue;
      found.together.objects -= alone.objects;
      found.together.bytes -= alone.bytes;
      candidates.push_back({alone, node});
    }
    for (const Candidate& shared : sharedObjects(most)) candidates.push_back(shared);
    std::ranges::stable_sort(candidates, std::greater(), [](const Candidate& one) { return one.alone.bytes; });
    for (const Candidate& one : candidates) {
      const bool isAmong = found.owners.size() < most;
      if (isAmong) found.owners.push_back(one.object.isNone() ? ownerOf(one.node) : ownerOf(one.object, one.alone));
      Retained& sum = one.object.isNone() ? found.ofOthers : found.together;
      if (one.object.isNone() && !isAmong) {
        ++found.others;
        sum.objects += one.alone.objects;
        sum.bytes += one.alone.bytes;
      } else if (!one.object.isNone() && isAmong) {
        sum.objects -= one.alone.objects;
        sum.bytes -= one.alone.bytes;
      }
    }
    return found;
  }

 private:
  struct Candidate {
    Retained alone;
    std::uint32_t node = 0;  // in the tree of roots; or
    ObjectId object = {};    // one that is shared
  };

  /// Whether all that a vertex dominates is one owner's: that of a root, of an owner or of a part of one.
  bool isOfOneOwner(std::uint32_t vertex) const {
    const Retention& retention = *m_snapshot.contents().retention;
    if (!retention.isGroup(vertex)) return true;
    const std::uint32_t group = retention.groupOf(vertex);
    const std::vector<RootGroup>& groups = retention.roots.groups;
    return groups[group].parent != RootGroup::kNone ||
           std::ranges::none_of(groups, [&](const RootGroup& below) { return below.parent == group; });
  }

  /// Objects that no owner dominates and no other object: the largest by what they retain. In the dominator tree what
  /// one dominates stands right behind it, so that few of its vertices are looked at.
  std::vector<Candidate> sharedObjects(std::size_t most) const {
    const Retention& retention = *m_snapshot.contents().retention;
    const DominatorTree& tree = retention.tree;
    std::vector<bool> isOwner(retention.roots.groups.size());
    for (std::size_t group = 0; group < isOwner.size(); ++group)
      isOwner[group] = isOfOneOwner(tree.objectCount() + static_cast<std::uint32_t>(group));
    std::vector<Candidate> shared;
    for (std::uint32_t number = 1; number <= tree.reachedCount();) {
      const std::uint32_t vertex = tree.vertexOf(number);
      if (!tree.isObject(vertex)) {
        ++number;
        continue;
      }
      const std::uint32_t dominator = tree.dominatorOf(number);
      const std::uint32_t above = dominator ? tree.vertexOf(dominator) : 0;
      if (!dominator || (retention.isGroup(above) && !isOwner[retention.groupOf(above)]))
        shared.push_back({{retention.sizes.objects[number], retention.sizes.bytes[number]}, 0, {vertex}});
      number += retention.sizes.objects[number];
    }
    const std::size_t count = std::min(most, shared.size());
    std::ranges::partial_sort(shared, shared.begin() + static_cast<std::ptrdiff_t>(count), std::greater(),
                              [](const Candidate& one) { return one.alone.bytes; });
    shared.resize(count);
    return shared;
  }

  RootOwner ownerOf(ObjectId object, const Retained& alone) const {
    const Address address = m_snapshot.contents().heap->index.addressOf(object);
    const auto row = objectAt(m_snapshot, address);
    RootOwner owner{.name = {},
                    .alone = alone,
                    .object = address,
                    .isShared = true,
                    .typeName = row ? m_snapshot.typeName(row->type) : std::string()};
    for (const RootRow& root : m_snapshot.roots().roots) {
      const bool isField = root.kind == RootKind::Static || root.kind == RootKind::ThreadStatic;
      if (root.object != address || (!owner.name.empty() && !isField)) continue;
      owner.name = root.name;
      owner.kind = kindOf(root.kind);
      if (isField) break;
    }
    return owner;
  }

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
    const RootTreeNode& group = m_held.tree[node];
    RootOwner owner{.name = nameOf(m_held, group), .alone = group.alone, .place = group.place};
    // Node 0 is the whole, and the groups follow in their order.
    if (node > 0 && node - 1 < m_snapshot.roots().groups.size()) owner.group = node - 1;
    owner.byOneRoot = byRootsOf(node);
    if (isOfStatics(node)) {
      owner.kind = OwnerKind::Statics;
      if (owner.place.empty()) owner.name = "statics of " + owner.name;
    }
    const double nearlyAll = kNearlyAll * static_cast<double>(owner.alone.bytes);
    std::uint32_t at = node;
    // Siblings that hold most come first.
    while (!m_held.tree[at].children.empty()) {
      at = m_held.tree[at].children.front();
      if (static_cast<double>(m_held.tree[at].alone.bytes) < nearlyAll) return owner;
    }
    const std::uint32_t root = m_held.tree[at].root;
    if (root == RootTreeNode::kNone) return owner;
    const HeldRoot& one = m_held.roots[root];
    owner.name = owner.place.empty() ? one.root.name : "static " + shortTypeName(one.typeName);
    owner.kind = kindOf(one.root.kind);
    owner.object = one.root.object;
    return owner;
  }

  Retained byRootsOf(std::uint32_t node) const {
    const RootTreeNode& here = m_held.tree[node];
    Retained sum = here.root == RootTreeNode::kNone ? Retained{} : here.alone;
    for (const std::uint32_t child : here.children) {
      if (m_held.tree[child].isTogether) continue;
      const Retained below = byRootsOf(child);
      sum.objects += below.objects;
      sum.bytes += below.bytes;
    }
    return sum;
  }

  /// Whether a group is of the static fields of one class.
  bool isOfStatics(std::uint32_t node) const {
    std::uint32_t at = node;
    while (m_held.tree[at].root == RootTreeNode::kNone) {
      const std::vector<std::uint32_t>& below = m_held.tree[at].children;
      const auto single =
          std::ranges::find_if(below, [this](std::uint32_t one) { return !m_held.tree[one].isTogether; });
      if (single == below.end()) return false;
      at = *single;
    }
    return at != node && m_held.roots[m_held.tree[at].root].root.kind == RootKind::Static;
  }

  static OwnerKind kindOf(RootKind kind) {
    switch (kind) {
      case RootKind::Static:
      case RootKind::ThreadStatic:
        return OwnerKind::Field;
      case RootKind::Stack:
        return OwnerKind::Stack;
      default:
        return OwnerKind::Other;
    }
  }

  const Snapshot& m_snapshot;
  const HeldRoots& m_held;
};

}  // namespace

Outcome<RootOwners> largestOwners(const Snapshot& snapshot, std::size_t most, std::stop_token stop) {
  HEAPSCAPE_TRY(const HeldRoots held, listHeldRoots(snapshot, std::move(stop)));
  if (held.tree.empty()) return RootOwners();
  return OwnerFinder(snapshot, held).find(most);
}

}  // namespace heapscape::engine
