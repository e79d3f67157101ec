// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "graph/dominators/dominator_tree.h"
#include "graph/retained/retained_by_type.h"
#include "graph/retained/retained_sizes.h"
#include "graph/reverse_references.h"
#include "session/snapshot/on_demand.h"
#include "session/snapshot/root_list.h"
#include "session/snapshot/snapshot.h"

namespace heapscape::engine {

class CacheFile;
class DominatorBrowsing;
struct PathIndex;

/// Who holds what, seen from a choice of roots. In the tree's forest the groups come first, then the roots, both by
/// their index in the list.
struct Retention {
  RootOptions options;
  RootList roots;
  DominatorTree tree;
  RetainedSizes sizes;
  std::vector<RetainedOfType> types;  // by TypeId; empty if not asked for
  RetainedTotals totals;
  std::shared_ptr<const CacheFile> file;  // what tree and sizes lie in if they were kept
  std::shared_ptr<const OnDemand<PathIndex>> paths = std::make_shared<OnDemand<PathIndex>>();
  std::shared_ptr<DominatorBrowsing> browsing;  // what is made of the tree for who looks through it

  /// Of tree and sizes.
  std::uint64_t memoryBytes() const {
    return tree.memoryBytes() + sizes.bytes.memoryBytes() + sizes.objects.memoryBytes();
  }
  std::uint32_t numberOfGroup(std::uint32_t group) const { return tree.numberOf(tree.vertexOfRoot(group)); }
  std::uint32_t numberOfRoot(std::uint32_t root) const {
    return tree.numberOf(tree.vertexOfRoot(static_cast<std::uint32_t>(roots.groups.size()) + root));
  }
  /// Of a vertex that is none of the objects.
  bool isGroup(std::uint32_t vertex) const { return vertex - tree.objectCount() < roots.groups.size(); }
  std::uint32_t groupOf(std::uint32_t vertex) const { return vertex - tree.objectCount(); }
  std::uint32_t rootOf(std::uint32_t vertex) const {
    return vertex - tree.objectCount() - static_cast<std::uint32_t>(roots.groups.size());
  }
};

}  // namespace heapscape::engine
