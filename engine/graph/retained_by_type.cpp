// SPDX-License-Identifier: MIT
#include "graph/retained_by_type.h"

namespace heapscape::engine {
namespace {

/// Who is dominated directly by whom, by number.
struct DominatorChildren {
  explicit DominatorChildren(const DominatorTree& tree)
      : first(std::size_t{tree.reachedCount()} + 2), children(std::size_t{tree.reachedCount()} + 1) {
    const std::uint32_t reached = tree.reachedCount();
    for (std::uint32_t number = 1; number <= reached; ++number) ++first[tree.dominatorOf(number) + 1];
    for (std::uint32_t number = 0; number <= reached; ++number) first[number + 1] += first[number];
    // Filled from behind, so that each start ends where it belongs.
    for (std::uint32_t number = reached; number > 0; --number) children[--first[tree.dominatorOf(number) + 1]] = number;
  }

  std::uint32_t begin(std::uint32_t number) const { return first[number + 1]; }
  std::uint32_t end(std::uint32_t number) const {
    return number + 2 < first.size() ? first[number + 2] : static_cast<std::uint32_t>(children.size() - 1);
  }

  LargeArray<std::uint32_t> first;     // by number + 1
  LargeArray<std::uint32_t> children;  // numbers
};

}  // namespace

std::vector<RetainedOfType> addUpRetainedByType(const DominatorTree& tree, const RetainedSizes& sizes,
                                                const ReferenceGraph& graph, const LargeArray<std::uint32_t>& typeOf,
                                                std::size_t typeCount) {
  struct Visit {
    std::uint32_t number;
    std::uint32_t next;  // child to go to
  };
  std::vector<RetainedOfType> types(typeCount);
  std::vector<std::uint32_t> open(typeCount);  // instances on the way from the root to here
  const DominatorChildren children(tree);
  std::vector<Visit> path{{0, children.begin(0)}};
  while (!path.empty()) {
    Visit& visit = path.back();
    if (visit.next < children.end(visit.number)) {
      const std::uint32_t child = children.children[visit.next++];
      if (const std::uint32_t object = tree.vertexOf(child); tree.isObject(object)) {
        const std::uint32_t type = typeOf[object];
        ++types[type].instances;
        types[type].bytes += graph.bytesOf(object);
        if (open[type]++ == 0) types[type].retainedBytes += sizes.bytes[child];
      }
      path.push_back({child, children.begin(child)});
    } else {
      if (visit.number && tree.isObject(tree.vertexOf(visit.number))) --open[typeOf[tree.vertexOf(visit.number)]];
      path.pop_back();
    }
  }
  return types;
}

}  // namespace heapscape::engine
