// SPDX-License-Identifier: MIT
#include "graph/retained/retained_by_type.h"

#include <tbb/parallel_for.h>
#include <algorithm>

#include "base/ids.h"

namespace heapscape::engine {
namespace {

constexpr std::uint32_t kTypesAhead = 32;
constexpr std::uint32_t kMostParts = 16;

/// Adds up a part of the numbers.
class PartByType {
 public:
  PartByType(const DominatorTree& tree, const RetainedSizes& sizes, const ReferenceGraph& graph,
             const ObjectTypes& typeOf, std::size_t typeCount)
      : m_tree(tree), m_sizes(sizes), m_graph(graph), m_typeOf(typeOf), m_types(typeCount), m_coveredTo(typeCount) {}

  std::vector<RetainedOfType> run(std::uint32_t first, std::uint32_t end) && {
    // What dominates the first one has a share that reaches into the part.
    for (std::uint32_t above = m_tree.dominatorOf(first); above > 0; above = m_tree.dominatorOf(above)) {
      const std::uint32_t type = typeAt(above);
      if (type != TypeId::kNone) m_coveredTo[type] = above + m_sizes.objects[above];
    }
    for (std::uint32_t number = first; number < end; ++number) {
      if (number + kTypesAhead < end) fetch(m_tree.vertexOf(number + kTypesAhead));
      if (const std::uint32_t type = typeAt(number); type != TypeId::kNone) add(number, type);
    }
    return std::move(m_types);
  }

 private:
  void fetch(std::uint32_t vertex) const {
    if (!m_tree.isObject(vertex)) return;
    m_typeOf.prefetch(vertex);
    m_graph.units.prefetch(vertex);
  }

  std::uint32_t typeAt(std::uint32_t number) const {
    const std::uint32_t vertex = m_tree.vertexOf(number);
    return m_tree.isObject(vertex) ? m_typeOf[vertex] : TypeId::kNone;
  }

  void add(std::uint32_t number, std::uint32_t type) {
    RetainedOfType& sums = m_types[type];
    ++sums.instances;
    sums.bytes += m_graph.bytesOf(m_tree.vertexOf(number));
    if (number < m_coveredTo[type]) return;
    m_coveredTo[type] = number + m_sizes.objects[number];
    sums.retainedBytes += m_sizes.bytes[number];
  }

  const DominatorTree& m_tree;
  const RetainedSizes& m_sizes;
  const ReferenceGraph& m_graph;
  const ObjectTypes& m_typeOf;
  std::vector<RetainedOfType> m_types;
  // The number behind all that the last instance dominates: until then, further ones are in its share.
  std::vector<std::uint32_t> m_coveredTo;
};

}  // namespace

std::vector<RetainedOfType> addUpRetainedByType(const DominatorTree& tree, const RetainedSizes& sizes,
                                                const ReferenceGraph& graph, const ObjectTypes& typeOf,
                                                std::size_t typeCount) {
  const std::uint32_t reached = tree.reachedCount();
  std::vector<std::vector<RetainedOfType>> parts(std::min(kMostParts, reached));
  tbb::parallel_for(std::size_t{0}, parts.size(), [&](std::size_t i) {
    const auto startOf = [&](std::size_t part) {
      return static_cast<std::uint32_t>(1 + part * reached / parts.size());
    };
    parts[i] = PartByType(tree, sizes, graph, typeOf, typeCount).run(startOf(i), startOf(i + 1));
  });
  std::vector<RetainedOfType> types(typeCount);
  for (const auto& part : parts) {
    for (std::size_t type = 0; type < typeCount; ++type) {
      types[type].instances += part[type].instances;
      types[type].bytes += part[type].bytes;
      types[type].retainedBytes += part[type].retainedBytes;
    }
  }
  return types;
}

}  // namespace heapscape::engine
