// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "models/rows/type_rows.h"
#include "models/trees/tree_model.h"

namespace heapscape::gui {

/// The namespaces of an answer as a tree, types as leaves; same columns as the table.
class NamespaceTreeModel : public NumberedTreeModel {
  Q_OBJECT

 public:
  explicit NamespaceTreeModel(QObject* parent = nullptr);

  void show(std::shared_ptr<const TypeRows> rows);  // null for none

  /// None for a namespace.
  engine::TypeId typeAt(const QModelIndex& index) const;
  QModelIndex indexOf(engine::Address methodTable) const;

  QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

 private:
  const NamespaceTree* tree() const { return m_rows && !m_rows->tree.isEmpty() ? &m_rows->tree : nullptr; }
  const Numbers& childrenOf(std::uint32_t node) const override {
    return tree() ? tree()->nodes[node].children : none();
  }
  std::uint32_t parentOfNode(std::uint32_t node) const override { return tree()->nodes[node].parent; }
  QVariant cell(const QModelIndex& index, int role) const override;

  std::shared_ptr<const TypeRows> m_rows;
};

}  // namespace heapscape::gui
