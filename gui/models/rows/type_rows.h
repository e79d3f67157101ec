// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

#include "base/result.h"
#include "models/rows/row_list.h"
#include "models/rows/type_figures.h"
#include "session/snapshot/snapshot.h"
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

/// Question of the places about types; answered by `askTypes` on the engine thread.
struct TypeQuestion {
  engine::HeapScope scope;
  engine::TypeQuery query = {};  // which of them; the order is the list's own
  bool asTree = false;
  int section = BytesColumn;  // sorted by this column; of a tree one that sortedOf() knows
  bool descending = true;
  std::shared_ptr<const engine::TypeCounts> counts;  // of `scope`, if they are known from the last answer
};

/// An immutable answer: the types with everything that a row says.
struct TypeRows {
  engine::Snapshot snapshot;
  TypeQuestion question;  // with the counts filled in, none for the whole heap
  engine::TypeSelection selection;
  TypeFigures largest;                  // of each figure on its own, for bars
  NamespaceTree tree;                   // if it was asked for
  std::shared_ptr<const RowList> list;  // the types as rows, else
  std::vector<std::uint32_t> order;     // of these

  bool hasPadding() const { return snapshot.has(engine::Stage::Layouts) && snapshot.hasFields(); }
  bool hasRetained() const { return snapshot.has(engine::Stage::Retained); }
  const engine::TypeCounts& counts() const { return question.counts ? *question.counts : snapshot.typeCounts(); }
  TypeFigures figures(std::size_t row) const;
};

/// Column that a tree of namespaces can be sorted by; nothing for other columns.
std::optional<engine::TypeColumn> sortedOf(int section);

/// The columns of TypeTableColumn.
std::vector<ColumnSetup> typeColumns();

/// Counts (only where the scope's counts are not known yet), filters, sorts and groups.
engine::Outcome<std::shared_ptr<const TypeRows>> askTypes(const engine::Snapshot& snapshot, TypeQuestion question,
                                                          std::stop_token stop);

}  // namespace heapscape::gui
