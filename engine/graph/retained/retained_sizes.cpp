// SPDX-License-Identifier: MIT
#include "graph/retained/retained_sizes.h"

#include <algorithm>
#include <atomic>
#include <limits>
#include <utility>

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

namespace heapscape::engine {
namespace {

constexpr std::uint32_t kSizesAhead = 32;

/// Sets what each vertex has by itself; gives the units of all together.
std::uint64_t takeOwn(const DominatorTree& tree, const ReferenceGraph& graph, LargeArray<std::uint32_t>& units,
                      LargeArray<std::uint32_t>& objects) {
  std::atomic<std::uint64_t> all = 0;
  tbb::parallel_for(tbb::blocked_range<std::uint32_t>(1, tree.reachedCount() + 1, 1 << 16), [&](const auto& part) {
    std::uint64_t sum = 0;
    for (std::uint32_t number = part.begin(); number < part.end(); ++number) {
      if (const std::uint32_t ahead = number + kSizesAhead; ahead < part.end() && tree.isObject(tree.vertexOf(ahead)))
        graph.units.prefetch(tree.vertexOf(ahead));
      const std::uint32_t vertex = tree.vertexOf(number);
      const bool isObject = tree.isObject(vertex);
      sum += units[number] = isObject ? graph.units[vertex] : 0;
      objects[number] = isObject;
    }
    all.fetch_add(sum, std::memory_order_relaxed);
  });
  return all;
}

// What is dominated has a larger number than its dominator, so it is complete when its turn comes.
template <class Unit>
void addUp(const DominatorTree& tree, LargeArray<Unit>& units, LargeArray<std::uint32_t>& objects) {
  for (std::uint32_t number = tree.reachedCount(); number > 0; --number) {
    const std::uint32_t dominator = tree.dominatorOf(number);
    units[dominator] += units[number];
    objects[dominator] += objects[number];
  }
}

}  // namespace

RetainedSizes addUpRetained(const DominatorTree& tree, const ReferenceGraph& graph, DominatorTree::Spare memory) {
  const std::size_t numbers = std::size_t{tree.reachedCount()} + 1;
  if (memory.first.size() < numbers) memory = {LargeArray<std::uint32_t>(numbers), LargeArray<std::uint32_t>(numbers)};
  auto& [units, objects] = memory;
  units.truncate(numbers);
  objects.truncate(numbers);
  units[0] = objects[0] = 0;
  if (takeOwn(tree, graph, units, objects) <= std::numeric_limits<std::uint32_t>::max()) {
    addUp(tree, units, objects);
    return {RetainedBytes(std::move(units)), std::move(objects)};
  }
  LargeArray<std::uint64_t> wide(numbers);
  std::copy_n(units.data(), numbers, wide.data());
  units = {};
  addUp(tree, wide, objects);
  return {RetainedBytes(std::move(wide)), std::move(objects)};
}

}  // namespace heapscape::engine
