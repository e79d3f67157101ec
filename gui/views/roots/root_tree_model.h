// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "models/trees/tree_model.h"
#include "session/roots/roots_query.h"

namespace heapscape::gui {

/// The roots in groups, by owner or otherwise, with what each holds alone.
class RootTreeModel : public NumberedTreeModel {
  Q_OBJECT

 public:
  enum Column : int { NameColumn, AloneColumn, ObjectColumn, RootsColumn, TypeColumn, ValueColumn, ColumnCount };

  explicit RootTreeModel(QObject* parent = nullptr);

  /// Null for none. `isByOwner`: the groups are those of the engine's list of roots.
  void show(std::shared_ptr<const engine::HeldRoots> roots, bool isByOwner = true);

  const engine::RootTreeNode& nodeAt(const QModelIndex& index) const { return m_roots->tree[nodeOf(index)]; }
  /// How a group or root is cut, as session/references/cuts.h has it; empty for what is none.
  std::string cutOf(const QModelIndex& index, const engine::RootList& list) const;
  /// The objects of all roots below, or of the root itself.
  std::vector<engine::Address> objectsOf(const QModelIndex& index) const;
  /// Null for a group.
  const engine::HeldRoot* rootAt(const QModelIndex& index) const;
  /// The object that a root holds; 0 for a group.
  engine::Address objectAt(const QModelIndex& index) const;

 private:
  const Numbers& childrenOf(std::uint32_t node) const override;
  std::uint32_t parentOfNode(std::uint32_t node) const override { return m_roots->tree[node].parent; }
  QVariant cell(const QModelIndex& index, int role) const override;
  QVariant nameData(const engine::RootTreeNode& node, const engine::HeldRoot* root, int role) const;
  QVariant figureData(const engine::RootTreeNode& node, const engine::HeldRoot* root, int column, int role) const;

  std::shared_ptr<const engine::HeldRoots> m_roots;
  bool m_isByOwner = true;
};

}  // namespace heapscape::gui
