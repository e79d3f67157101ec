// SPDX-License-Identifier: MIT
#pragma once

#include <QAbstractItemModel>
#include <memory>
#include <vector>

#include "session/references/paths_query.h"

namespace heapscape::gui {

/// The shortest ways to all objects of a type, laid over each other, from the objects up to their roots.
class MergedPathsModel : public QAbstractItemModel {
  Q_OBJECT

 public:
  enum Column : int { NameColumn, ObjectsColumn, BytesColumn, HoldersColumn, ColumnCount };

  using QAbstractItemModel::QAbstractItemModel;

  void show(std::shared_ptr<const engine::MergedPaths> paths);  // null for none
  const engine::MergedPathNode& nodeAt(const QModelIndex& index) const { return m_paths->nodes[nodeOf(index)]; }

  QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
  QModelIndex parent(const QModelIndex& child) const override;
  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

 private:
  // Node 0, the objects themselves, is the one line at the top.
  static std::uint32_t nodeOf(const QModelIndex& index) { return static_cast<std::uint32_t>(index.internalId()); }
  QVariant nameData(std::uint32_t node, int role) const;
  QVariant figureData(const engine::MergedPathNode& node, int column, int role) const;

  std::shared_ptr<const engine::MergedPaths> m_paths;
  std::vector<std::vector<std::uint32_t>> m_children;  // by node
  std::vector<std::uint32_t> m_rowInParent;            // by node
};

}  // namespace heapscape::gui
