// SPDX-License-Identifier: MIT
#include "models/rows/namespace_tree.h"

namespace heapscape::gui {
namespace {

using engine::NamespaceNode;

std::uint64_t averageOf(const NamespaceNode& node) {
  return node.objects == 0 ? 0 : node.bytes / node.objects;
}

std::optional<std::uint64_t> retainedOf(const engine::Snapshot& snapshot, const NamespaceNode& node) {
  const std::vector<engine::RetainedOfType>& types = snapshot.typeRetained();
  if (node.type.isNone() || types.empty()) return {};
  return types[node.type.value].retainedBytes;
}

}  // namespace

TypeFigures NamespaceTree::figures(std::uint32_t node) const {
  const NamespaceNode& row = nodes[node];
  return {row.objects, row.bytes, row.paddingBytes, averageOf(row), generations[node], retained[node]};
}

NamespaceTree buildNamespaceTree(const engine::Snapshot& snapshot, const engine::TypeCounts& counts,
                                 const engine::TypeSelection& selection, engine::TypeColumn sortBy, bool descending) {
  NamespaceTree tree;
  tree.nodes = engine::groupByNamespace(snapshot, counts, selection, sortBy, descending);
  for (const NamespaceNode& node : tree.nodes) tree.retained.push_back(retainedOf(snapshot, node));
  tree.generations.assign(tree.nodes.size(), {});
  // Pre-order: going backwards, a node's children are complete before it is added to its parent.
  for (std::size_t index = tree.nodes.size(); index-- > 0;) {
    const NamespaceNode& node = tree.nodes[index];
    if (!node.type.isNone()) tree.generations[index] = counts.generationBytes[node.type.value];
    if (index == 0) break;
    auto& sum = tree.generations[node.parent];
    for (std::size_t cell = 0; cell < sum.size(); ++cell) sum[cell] += tree.generations[index][cell];
    tree.largest.raiseTo(tree.figures(static_cast<std::uint32_t>(index)));
  }
  return tree;
}

}  // namespace heapscape::gui
