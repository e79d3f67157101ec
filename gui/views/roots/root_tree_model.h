// SPDX-License-Identifier: MIT
#pragma once

#include <QAbstractItemModel>
#include <memory>
#include <string>
#include <vector>

#include "models/rows/value_cells.h"
#include "session/roots/roots_query.h"

namespace heapscape::gui {

/// The roots in groups, by owner or otherwise, with what each holds alone.
class RootTreeModel : public QAbstractItemModel {
  Q_OBJECT

 public:
  enum Column : int { NameColumn, AloneColumn, ObjectColumn, RootsColumn, TypeColumn, ValueColumn, ColumnCount };

  using QAbstractItemModel::QAbstractItemModel;

  /// Null for none. `isByOwner`: the groups are those of the engine's list of roots.
  void show(std::shared_ptr<const engine::HeldRoots> roots, bool isByOwner = true);

  ValueCells& values() { return m_values; }

  const engine::RootTreeNode& nodeAt(const QModelIndex& index) const { return m_roots->tree[nodeOf(index)]; }
  /// How a group or root is cut, as session/references/cuts.h has it; empty for what is none.
  std::string cutOf(const QModelIndex& index, const engine::RootList& list) const;
  /// Of all roots below, or of the root itself.
  std::vector<engine::Address> objectsOf(const QModelIndex& index) const;
  /// Null for a group.
  const engine::HeldRoot* rootAt(const QModelIndex& index) const;
  /// That a root holds; 0 for a group.
  engine::Address objectAt(const QModelIndex& index) const;

  QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
  QModelIndex parent(const QModelIndex& child) const override;
  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

 private:
  static std::uint32_t nodeOf(const QModelIndex& index) {
    return index.isValid() ? static_cast<std::uint32_t>(index.internalId()) : 0;
  }
  QVariant nameData(const engine::RootTreeNode& node, const engine::HeldRoot* root, int role) const;
  QVariant figureData(const engine::RootTreeNode& node, const engine::HeldRoot* root, int column, int role) const;

  std::shared_ptr<const engine::HeldRoots> m_roots;
  ValueCells m_values;
  std::vector<std::uint32_t> m_rowInParent;  // by node
  bool m_isByOwner = true;
};

}  // namespace heapscape::gui
