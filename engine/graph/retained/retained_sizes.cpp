// SPDX-License-Identifier: MIT
#include "graph/retained/retained_sizes.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

namespace heapscape::engine {

RetainedSizes addUpRetained(const DominatorTree& tree, const ReferenceGraph& graph) {
  constexpr std::uint32_t kFetchAhead = 32;
  const std::uint32_t reached = tree.reachedCount();
  RetainedSizes sizes{LargeArray<std::uint64_t>(std::size_t{reached} + 1),
                      LargeArray<std::uint32_t>(std::size_t{reached} + 1)};
  tbb::parallel_for(tbb::blocked_range<std::uint32_t>(1, reached + 1, 1 << 16), [&](const auto& part) {
    for (std::uint32_t number = part.begin(); number < part.end(); ++number) {
      if (number + kFetchAhead < part.end()) __builtin_prefetch(&graph.units[tree.vertexOf(number + kFetchAhead)]);
      const std::uint32_t vertex = tree.vertexOf(number);
      if (!tree.isObject(vertex)) continue;
      sizes.bytes[number] = graph.bytesOf(vertex);
      sizes.objects[number] = 1;
    }
  });
  // What is dominated has a larger number than its dominator, so it is complete when its turn comes.
  for (std::uint32_t number = reached; number > 0; --number) {
    sizes.bytes[tree.dominatorOf(number)] += sizes.bytes[number];
    sizes.objects[tree.dominatorOf(number)] += sizes.objects[number];
  }
  return sizes;
}

}  // namespace heapscape::engine
