// SPDX-License-Identifier: MIT
#include "session/dominators/dominator_freed.h"

#include <algorithm>

#include "base/progress.h"
#include "session/dominators/dominator_question.h"

namespace heapscape::engine {

namespace {

/// The parts of the tree that would be freed, in its order, with the bytes of all in front of each.
class FreedParts {
 public:
  explicit FreedParts(const WhatIf& whatIf) : m_retention(*whatIf.snapshot().contents().retention) {
    const ObjectIndex& index = whatIf.snapshot().contents().heap->index;
    for (const RetainedRow& row : whatIf.outermost(whatIf.outermostCount()))
      m_tops.push_back(m_retention.tree.numberOf(index.idOf(row.object).value));
    std::ranges::sort(m_tops);
    m_before.reserve(m_tops.size() + 1);
    std::uint64_t bytes = 0;
    for (const std::uint32_t top : m_tops) {
      m_before.push_back(bytes);
      bytes += m_retention.sizes.bytes[top];
    }
    m_before.push_back(bytes);
    const DominatorTree& tree = m_retention.tree;
    const std::uint32_t roots = tree.reachedCount() - tree.reachedObjects();
    for (std::uint32_t root = 0; root < roots; ++root) m_roots.push_back(tree.numberOf(tree.vertexOfRoot(root)));
    std::ranges::sort(m_roots);
  }

  /// Of what a vertex retains.
  std::uint64_t bytesOf(std::uint32_t number) const {
    if (number == 0) return m_before.back();
    const auto behind = std::ranges::upper_bound(m_tops, number);
    if (behind != m_tops.begin() && number < endOf(*(behind - 1))) return m_retention.sizes.bytes[number];
    return before(endOf(number)) - before(number);
  }

 private:
  // All that a vertex dominates has the numbers right behind its own: objects, and below a group its roots.
  std::uint32_t endOf(std::uint32_t number) const {
    std::uint32_t end = number + m_retention.sizes.objects[number];
    auto root = std::ranges::lower_bound(m_roots, number);
    for (; root != m_roots.end() && isWithin(number, *root); ++root) ++end;
    return end;
  }

  bool isWithin(std::uint32_t number, std::uint32_t root) const {
    while (root > number) root = m_retention.tree.dominatorOf(root);
    return root == number;
  }

  std::uint64_t before(std::uint32_t number) const {
    return m_before[static_cast<std::size_t>(std::ranges::lower_bound(m_tops, number) - m_tops.begin())];
  }

  const Retention& m_retention;
  std::vector<std::uint32_t> m_tops;  // numbers, ascending
  std::vector<std::uint64_t> m_before;
  std::vector<std::uint32_t> m_roots;  // roots and groups, ascending
};

}  // namespace

Outcome<std::vector<std::uint64_t>> freedByShape(const Snapshot& snapshot, const WhatIf& whatIf,
                                                 DominatorGrouping grouping, std::span<const DominatorShape> shapes,
                                                 std::stop_token stop) {
  if (&snapshot.contents() != &whatIf.snapshot().contents()) {
    return tl::unexpected(Unfinished(Error{ErrorCode::NotFound, "The cuts were made in another snapshot."}));
  }
  const auto add = [&](DominatorNodes& nodes) -> Outcome<std::vector<std::uint64_t>> {
    const FreedParts parts(whatIf);
    std::vector<std::uint64_t> freed(shapes.size());
    std::size_t looked = 0;
    for (std::size_t shape = 0; shape < shapes.size(); ++shape) {
      if (shapes[shape].isRest) continue;
      HEAPSCAPE_CHECK(checkDominatorNode(nodes, shapes[shape].node.node));
      for (const std::uint32_t number : nodes.membersOf(shapes[shape].node.node)) {
        if (++looked % kStopInterval == 0 && stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
        freed[shape] += parts.bytesOf(number);
      }
    }
    return freed;
  };
  return withDominatorNodes(snapshot, grouping, stop, add);
}

}  // namespace heapscape::engine
