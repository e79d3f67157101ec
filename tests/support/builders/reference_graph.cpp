// SPDX-License-Identifier: MIT
#include "support/builders/reference_graph.h"

namespace heapscape::test {

using namespace engine;

ReferenceGraph graphOf(const std::vector<std::vector<std::uint32_t>>& references) {
  ReferenceGraph graph;
  std::size_t edges = 0;
  for (const auto& targets : references) edges += targets.size();
  graph.rows = LargeArray<std::uint32_t>(references.size() + 1);
  graph.targets = LargeArray<std::uint32_t>(edges);
  graph.units = LargeArray<std::uint32_t>(references.size());
  std::uint32_t next = 0;
  for (std::size_t i = 0; i < references.size(); ++i) {
    for (const std::uint32_t target : references[i]) graph.targets[next++] = target;
    graph.rows[i + 1] = next;
  }
  return graph;
}

}  // namespace heapscape::test
