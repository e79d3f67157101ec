// SPDX-License-Identifier: MIT
#include "graph/retained/reached_ranges.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_reduce.h>

#include "graph/dominators/dominator_tree.h"
#include "graph/reference_graph.h"

namespace heapscape::engine {
namespace {

constexpr std::uint32_t kReachedAtOnce = 1 << 16;

ReachableTotals reachedIn(const DominatorTree& tree, const ReferenceGraph& graph, ObjectRange range) {
  const auto add = [&](const tbb::blocked_range<std::uint32_t>& part, ReachableTotals sum) {
    for (std::uint32_t object = part.begin(); object < part.end(); ++object) {
      const bool isReached = tree.numberOf(object) != 0;
      sum.objects += isReached;
      sum.bytes += isReached ? graph.bytesOf(object) : 0;
    }
    return sum;
  };
  const auto both = [](const ReachableTotals& left, const ReachableTotals& right) {
    return ReachableTotals{left.objects + right.objects, left.bytes + right.bytes};
  };
  return tbb::parallel_reduce(tbb::blocked_range<std::uint32_t>(range.first, range.end, kReachedAtOnce),
                              ReachableTotals{}, add, both);
}

}  // namespace

std::vector<ReachableTotals> addUpReached(const DominatorTree& tree, const ReferenceGraph& graph,
                                          std::span<const ObjectRange> ranges) {
  std::vector<ReachableTotals> totals(ranges.size());
  tbb::parallel_for(std::size_t{0}, ranges.size(),
                    [&](std::size_t i) { totals[i] = reachedIn(tree, graph, ranges[i]); });
  return totals;
}

}  // namespace heapscape::engine
