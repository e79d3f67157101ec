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

std::optional<std::uint64_t> retainedOf(const engine::Snapshot& snapshot, const NamespaceNode& node) {
  const std::vector<engine::RetainedOfType>& types = snapshot.typeRetained();
  if (node.type.isNone() || types.empty()) return {};
  return types[node.type.value].retainedBytes;
}

// Namespaces retain nothing of their own; they are sorted by size among themselves.
void sortChildren(std::vector<NamespaceNode>& nodes, const std::vector<std::optional<std::uint64_t>>& retained,
                  TypeColumn sortBy, bool descending) {
  const auto keyOf = [&](std::uint32_t node) {
    return sortBy == TypeColumn::RetainedBytes && retained[node] ? *retained[node] : figureOf(nodes[node], sortBy);
  };
  const bool byName = sortBy == TypeColumn::Name || sortBy == TypeColumn::Assembly;
  const auto isBefore = [&](std::uint32_t left, std::uint32_t right) {
    if (!byName) {
      const auto leftFigure = keyOf(left);
      const auto rightFigure = keyOf(right);
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
  return {row.objects, row.bytes, row.paddingBytes, averageOf(row), generations[node], retained[node]};
}

NamespaceTree buildNamespaceTree(const engine::Snapshot& snapshot, const engine::TypeCounts& counts,
                                 const engine::TypeSelection& selection, TypeColumn sortBy, bool descending) {
  NamespaceTree tree;
  tree.nodes = engine::groupByNamespace(snapshot, counts, selection);
  for (const NamespaceNode& node : tree.nodes) tree.retained.push_back(retainedOf(snapshot, node));
  sortChildren(tree.nodes, tree.retained, sortBy, descending);
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
