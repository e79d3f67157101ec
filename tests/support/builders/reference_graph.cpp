// SPDX-License-Identifier: MIT
#include "support/builders/reference_graph.h"

#include <algorithm>

namespace heapscape::test {

using namespace engine;

StoredRows rowsOf(std::span<const std::uint32_t> starts) {
  StoredRows rows(static_cast<std::uint32_t>(starts.size() - 1));
  StoredRows::Writer writer(rows, 0);
  std::vector<LongRow> longRows;
  for (std::uint32_t vertex = 0; vertex < rows.vertexCount(); ++vertex) {
    const std::uint32_t edges = starts[vertex + 1] - starts[vertex];
    writer.add(edges, starts[vertex]);
    if (edges >= RowLine::kMany) longRows.push_back({vertex, edges});
  }
  rows.finish(longRows, starts.back());
  return rows;
}

ReferenceGraph graphOf(const std::vector<std::vector<std::uint32_t>>& references) {
  ReferenceGraph graph;
  std::vector<std::uint32_t> starts{0};
  for (const auto& targets : references) starts.push_back(starts.back() + static_cast<std::uint32_t>(targets.size()));
  graph.rows = rowsOf(starts);
  graph.targets = LargeArray<std::uint32_t>(starts.back());
  graph.units = ObjectUnits(static_cast<std::uint32_t>(references.size()));
  for (std::size_t i = 0; i < references.size(); ++i)
    std::copy(references[i].begin(), references[i].end(), graph.targets.data() + starts[i]);
  return graph;
}

}  // namespace heapscape::test
