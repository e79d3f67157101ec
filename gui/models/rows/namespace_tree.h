// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "models/rows/type_figures.h"
#include "session/types/type_query.h"

namespace heapscape::gui {

/// The namespaces and their types, with what a tree view needs to find its way. Index 0 is the whole.
struct NamespaceTree {
  std::vector<engine::NamespaceNode> nodes;
  std::vector<GenerationBytes> generations;            // by node, with all below
  std::vector<std::optional<std::uint64_t>> retained;  // by node; nothing for namespaces, and while it is not known
  TypeFigures largest;                                 // among all nodes but the whole

  bool isEmpty() const { return nodes.empty(); }
  TypeFigures figures(std::uint32_t node) const;
};

/// Groups a selection by namespace, the children of every node in that order.
NamespaceTree buildNamespaceTree(const engine::Snapshot& snapshot, const engine::TypeCounts& counts,
                                 const engine::TypeSelection& selection, engine::TypeColumn sortBy, bool descending);

}  // namespace heapscape::gui
