// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>
#include <memory>

#include "models/rows/type_rows.h"
#include "models/trees/tree_model.h"

class QAbstractItemView;
class QStackedLayout;
class QTreeView;

namespace heapscape::gui {

class PickedLine;
class RowsTable;

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

/// The types of an answer, as a table or as a tree of namespaces.
class TypesList : public QWidget {
  Q_OBJECT

 public:
  explicit TypesList(QWidget* parent = nullptr);

  void show(std::shared_ptr<const TypeRows> rows);  // null for none
  RowsTable& table() const { return *m_table; }
  /// What stands below the table while several types are picked: its menu is that of all of them.
  void setPicked(PickedLine* picked) { m_picked = picked; }
  /// With names that can be read, and without scrolling.
  int wantedWidth() const;
  /// Picks a type without telling anyone.
  void follow(engine::Address methodTable);

 Q_SIGNALS:
  void typePicked(heapscape::engine::Address methodTable);
  /// A namespace, or whatever else is no type.
  void otherPicked(const QModelIndex& row, const QHeaderView& headings);
  void layoutWanted(heapscape::engine::Address methodTable);
  void reasonWanted(heapscape::engine::Address methodTable);
  void instancesWanted(heapscape::engine::Address methodTable);
  void sortWanted(int section, bool descending);

 private:
  void setUpTree(QTreeView* tree);
  void connectView(QAbstractItemView* view);
  int leastNameWidth() const;
  void sortBy(int section, bool descending);
  void showSorting();
  void openContextMenu(QAbstractItemView* view, const QPoint& position);
  void expandSmallTree();
  engine::Address typeAt(const QModelIndex& index) const;
  QAbstractItemView* view() const;

  RowsTable* m_table;
  PickedLine* m_picked = nullptr;
  NamespaceTreeModel* m_treeModel;
  QTreeView* m_tree;
  QStackedLayout* m_pages;
  std::shared_ptr<const TypeRows> m_rows;
  engine::Address m_followed;
  bool m_isFollowing = false;
};

}  // namespace heapscape::gui
