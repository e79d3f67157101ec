// SPDX-License-Identifier: MIT
#include "models/namespace_tree.h"

#include <algorithm>

namespace heapscape::gui {
namespace {

using engine::NamespaceNode;
using engine::TypeColumn;

std::uint64_t averageOf(const NamespaceNode& node) {
  return node.objects == 0 ? 0 : node.bytes / node.objects;
}

std::uint64_t figureOf(const NamespaceNode& node, TypeColumn column) {
  switch (column) {
    case TypeColumn::Count:
      return node.objects;
    case TypeColumn::AverageBytes:
      return averageOf(node);
    case TypeColumn::PaddingBytes:
      return node.paddingBytes;
    default:
      return node.bytes;
  }
}

void sortChildren(std::vector<NamespaceNode>& nodes, TypeColumn sortBy, bool descending) {
  const bool byName = sortBy == TypeColumn::Name || sortBy == TypeColumn::Assembly;
  const auto isBefore = [&](std::uint32_t left, std::uint32_t right) {
    if (!byName) {
      const auto leftFigure = figureOf(nodes[left], sortBy);
      const auto rightFigure = figureOf(nodes[right], sortBy);
      if (leftFigure != rightFigure) return (leftFigure > rightFigure) == descending;
    }
    const int order = nodes[left].name.compare(nodes[right].name);
    return byName && descending ? order > 0 : order < 0;
  };
  for (NamespaceNode& node : nodes) std::stable_sort(node.children.begin(), node.children.end(), isBefore);
}

}  // namespace

TypeFigures NamespaceTree::figures(std::uint32_t node) const {
  const NamespaceNode& row = nodes[node];
  return {row.objects, row.bytes, row.paddingBytes, averageOf(row), generations[node]};
}

NamespaceTree buildNamespaceTree(const engine::Snapshot& snapshot, const engine::TypeCounts& counts,
                                 const engine::TypeSelection& selection, TypeColumn sortBy, bool descending) {
  NamespaceTree tree;
  tree.nodes = engine::groupByNamespace(snapshot, counts, selection);
  sortChildren(tree.nodes, sortBy, descending);
  tree.rowInParent.assign(tree.nodes.size(), 0);
  tree.generations.assign(tree.nodes.size(), {});
  // Pre-order: going backwards, a node's children are complete before it is added to its parent.
  for (std::size_t index = tree.nodes.size(); index-- > 0;) {
    const NamespaceNode& node = tree.nodes[index];
    for (std::uint32_t row = 0; row < node.children.size(); ++row) tree.rowInParent[node.children[row]] = row;
    if (!node.type.isNone()) tree.generations[index] = counts.generationBytes[node.type.value];
    if (index == 0) break;
    auto& sum = tree.generations[node.parent];
    for (std::size_t cell = 0; cell < sum.size(); ++cell) sum[cell] += tree.generations[index][cell];
    tree.largest.raiseTo(tree.figures(static_cast<std::uint32_t>(index)));
  }
  return tree;
}

}  // namespace heapscape::gui
