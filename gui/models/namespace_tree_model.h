// SPDX-License-Identifier: MIT
#pragma once

#include <QAbstractItemModel>
#include <memory>

#include "models/rows/type_rows.h"

namespace heapscape::gui {

/// The namespaces of an answer as a tree, types as leaves; same columns as the table. A node is found by its number, so
/// nothing is made per node until a view asks for it.
class NamespaceTreeModel : public QAbstractItemModel {
  Q_OBJECT

 public:
  using QAbstractItemModel::QAbstractItemModel;

  void show(std::shared_ptr<const TypeRows> rows);  // null for none

  /// None for a namespace.
  engine::TypeId typeAt(const QModelIndex& index) const;
  QModelIndex indexOf(engine::Address methodTable) const;

  QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
  QModelIndex parent(const QModelIndex& child) const override;
  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

 private:
  const NamespaceTree* tree() const { return m_rows && !m_rows->tree.isEmpty() ? &m_rows->tree : nullptr; }
  static std::uint32_t nodeOf(const QModelIndex& index) {
    return index.isValid() ? static_cast<std::uint32_t>(index.internalId()) : 0;
  }

  std::shared_ptr<const TypeRows> m_rows;
};

}  // namespace heapscape::gui
