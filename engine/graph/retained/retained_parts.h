// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

#include "base/progress.h"
#include "graph/dominators/dominator_tree.h"
#include "graph/reference_graph.h"
#include "graph/retained/retained_sizes.h"

namespace heapscape::engine {

/// Objects freed if some are taken away together: whole parts of the dominator tree, for with an object goes all that
/// it dominates, unless something of that was to be kept. ObjectIds in preorder.
struct RetainedParts {
  std::vector<std::uint32_t> tops;   // with all that they dominate; none of them dominates another
  std::vector<std::uint32_t> alone;  // without what they dominate: only where something was to be kept
  std::uint64_t objects = 0;
  std::uint64_t bytes = 0;
  bool isExact = true;  // false: at least so much, since looking further would have taken too long

  /// Whether an object is freed, too.
  bool contains(const DominatorTree& tree, const RetainedSizes& sizes, std::uint32_t object) const;
};

/// Parts that some objects dominate together, by their ascending numbers in the tree: those that another one dominates
/// are in what that one does. What several of them hold only together is not in it.
RetainedParts outermostParts(const DominatorTree& tree, const RetainedSizes& sizes,
                             std::span<const std::uint32_t> numbers);

/// Objects to be taken away.
struct RetainedPartsQuestion {
  std::span<const std::uint32_t> members;    // ObjectIds; those that cannot be reached are passed over
  std::span<const std::uint32_t> kept = {};  // objects that stay although only members lead to them
  /// If there: whether a holder lets go of a member, kNone for the roots that refer to it. Any other referrer keeps it.
  std::function<bool(std::uint32_t holder, std::uint32_t member)> isLettingGo = {};
  StageProgress* progress = nullptr;  // of one that may pass the whole heap
};

/// Finds out for one set of objects after the other, each at the cost of the part of the heap that they have in common:
/// all that hangs on the nearest object that dominates all of them. For one thread.
class RetainedPartsFinder {
 public:
  /// `roots`: ObjectIds that roots refer to. `budget`: objects that may be passed in all for exact answers.
  RetainedPartsFinder(const ReferenceGraph& graph, const DominatorTree& tree, const RetainedSizes& sizes,
                      std::span<const std::uint32_t> roots, std::uint64_t budget)
      : m_graph(graph), m_tree(tree), m_sizes(sizes), m_roots(roots), m_budget(budget) {}

  /// Returns nullopt if it was stopped.
  std::optional<RetainedParts> without(const RetainedPartsQuestion& question, const std::stop_token& stop);
  /// Result of without() if other roots than all were there: a pass over the whole graph, whatever the budget.
  std::optional<RetainedParts> without(std::span<const std::uint32_t> members, std::span<const std::uint32_t> roots,
                                       const std::stop_token& stop);

 private:
  /// Numbers of all that one object dominates; from 1 on for the whole.
  struct Range {
    std::uint32_t first = 0;  // the dominating object itself, or 0
    std::uint32_t end = 0;
  };

  std::vector<std::uint32_t> numbersOf(std::span<const std::uint32_t> objects) const;
  Range commonPart(std::span<const std::uint32_t> numbers, bool mayBeMember) const;
  bool mark(const Range& range, const RetainedPartsQuestion& question, std::span<const std::uint32_t> roots,
            const std::stop_token& stop);
  RetainedParts unmarked(const Range& range) const;
  RetainedParts unmarkedAlone(const Range& range) const;

  const ReferenceGraph& m_graph;
  const DominatorTree& m_tree;
  const RetainedSizes& m_sizes;
  std::span<const std::uint32_t> m_roots;
  std::uint64_t m_budget;
  // By number less the range's first one.
  std::vector<bool> m_isMember;
  std::vector<bool> m_isMarked;
};

/// Totals freed if some objects are taken away together.
struct RetainedSetTotals {
  std::uint64_t memberObjects = 0, memberBytes = 0;      // members that can be reached
  std::uint64_t retainedObjects = 0, retainedBytes = 0;  // with all that can be reached through members only
};

/// Goes through the graph once, from the objects that roots hold, around the members. `isMember`: by ObjectId. `tree`
/// and `sizes` tell what can be reached with the members. Returns nullopt if it was stopped.
std::optional<RetainedSetTotals> addUpRetainedSet(const ReferenceGraph& graph, const DominatorTree& tree,
                                                  const RetainedSizes& sizes, std::span<const std::uint32_t> roots,
                                                  const std::vector<bool>& isMember, StageProgress& progress,
                                                  std::stop_token stop);

/// An object that a root refers to, and the group that the root is put into.
struct GroupedRoot {
  std::uint32_t object = 0;  // ObjectId
  std::uint32_t group = 0;
};

/// Objects that only the roots of one group lead to.
struct HeldByGroup {
  std::uint64_t objects = 0;
  std::uint64_t bytes = 0;  // aligned
};

/// For each of `groups` groups, however the roots are put together: each object is looked at for the first group that
/// leads to it, and once more where another one does. 4 bytes an object meanwhile. `reachable`: how many objects can be
/// reached, for the progress. Returns nullopt if it was stopped.
std::optional<std::vector<HeldByGroup>> heldByGroups(const ReferenceGraph& graph, std::span<const GroupedRoot> roots,
                                                     std::uint32_t groups, std::uint64_t reachable,
                                                     StageProgress& progress, const std::stop_token& stop);

}  // namespace heapscape::engine
