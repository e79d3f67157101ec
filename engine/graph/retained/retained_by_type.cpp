// SPDX-License-Identifier: MIT
#include "graph/retained/retained_by_type.h"

#include "base/ids.h"

namespace heapscape::engine {

std::vector<RetainedOfType> addUpRetainedByType(const DominatorTree& tree, const RetainedSizes& sizes,
                                                const ReferenceGraph& graph, const LargeArray<std::uint32_t>& typeOf,
                                                std::size_t typeCount) {
  constexpr std::uint32_t kFetchAhead = 32;
  std::vector<RetainedOfType> types(typeCount);
  // The number behind all that the last instance dominates: until then, further ones are in its share.
  std::vector<std::uint32_t> coveredTo(typeCount);
  const std::uint32_t reached = tree.reachedCount();
  for (std::uint32_t number = 1; number <= reached; ++number) {
    if (const std::uint32_t ahead = number + kFetchAhead; ahead <= reached && tree.isObject(tree.vertexOf(ahead))) {
      __builtin_prefetch(&typeOf[tree.vertexOf(ahead)]);
      __builtin_prefetch(&graph.units[tree.vertexOf(ahead)]);
    }
    const std::uint32_t object = tree.vertexOf(number);
    if (!tree.isObject(object) || typeOf[object] == TypeId::kNone) continue;
    const std::uint32_t type = typeOf[object];
    ++types[type].instances;
    types[type].bytes += graph.bytesOf(object);
    if (number < coveredTo[type]) continue;
    coveredTo[type] = number + sizes.objects[number];
    types[type].retainedBytes += sizes.bytes[number];
  }
  return types;
}

}  // namespace heapscape::engine
