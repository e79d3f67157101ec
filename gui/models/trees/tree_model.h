// SPDX-License-Identifier: MIT
#pragma once

#include <QAbstractItemModel>
#include <QString>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "models/rows/seen_values.h"

namespace heapscape::gui {

/// A column of a tree: its heading, and on which side its cells stand.
struct TreeColumn {
  enum class Look : std::uint8_t { Text, Figure, Value };  // figures stand at the right; Value has ValueCells' heading

  QString title = {};
  QString tip = {};  // of the heading; null for none
  Look look = Look::Text;
  bool holdsContents = false;  // values of the dump that HiddenContents does not hide
};

/// A tree for Qt's views, by a table of its columns. What is below what is asked by ids, numbers or pointers, of
/// NumberedTreeModel or TreeModelOf. One node nobody sees: its children are the rows at the top.
class TreeModel : public QAbstractItemModel {
 public:
  explicit TreeModel(std::vector<TreeColumn> columns, QObject* parent = nullptr);

  /// The texts of the column Value, if the tree has one.
  ValueCells& values() { return m_values; }

  QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
  QModelIndex parent(const QModelIndex& child) const override;
  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

 protected:
  virtual quintptr topId() const = 0;
  virtual std::size_t childCount(quintptr id) const = 0;
  virtual quintptr childAt(quintptr id, std::size_t row) const = 0;
  virtual quintptr parentOf(quintptr id) const = 0;
  virtual int rowOf(quintptr id) const = 0;
  /// A cell for every role but its alignment; `index` is valid.
  virtual QVariant cell(const QModelIndex& index, int role) const = 0;

  /// No row for the node that nobody sees.
  QModelIndex indexOfId(quintptr id) const;
  const ValueCells& values() const { return m_values; }

 private:
  std::vector<TreeColumn> m_columns;
  ValueCells m_values;
};

/// A share of a whole, 0 … 1; 0 of nothing.
double shareOfWhole(std::uint64_t part, std::uint64_t whole);
/// A number of bytes or of things as a cell: short, in full as its tip, plain for copying; nothing for other roles.
QVariant bytesCell(std::uint64_t bytes, int role);
QVariant countCell(std::uint64_t count, int role);

/// A tree of the model's own lines: structs with `parent`, `row` and `children` (owned).
template <typename Node>
class TreeModelOf : public TreeModel {
 public:
  using TreeModel::TreeModel;

 protected:
  /// The node that nobody sees; never null.
  virtual const Node* top() const = 0;

  const Node& nodeOf(const QModelIndex& index) const {
    return index.isValid() ? *static_cast<const Node*>(index.internalPointer()) : *top();
  }
  QModelIndex indexOf(const Node& node) const { return indexOfId(idOf(&node)); }
  /// Puts a line behind the children that are there.
  static Node& append(Node& parent, Node node) {
    auto added = std::make_unique<Node>(std::move(node));
    added->parent = &parent;
    added->row = static_cast<int>(parent.children.size());
    return *parent.children.emplace_back(std::move(added));
  }

 private:
  static quintptr idOf(const Node* node) { return reinterpret_cast<quintptr>(node); }
  static const Node* of(quintptr id) { return reinterpret_cast<const Node*>(id); }
  quintptr topId() const final { return idOf(top()); }
  std::size_t childCount(quintptr id) const final { return of(id)->children.size(); }
  quintptr childAt(quintptr id, std::size_t row) const final { return idOf(of(id)->children[row].get()); }
  quintptr parentOf(quintptr id) const final { return idOf(of(id)->parent); }
  int rowOf(quintptr id) const final { return of(id)->row; }
};

/// A tree that the engine made, of nodes with numbers: nothing is made per node but its row.
class NumberedTreeModel : public TreeModel {
 public:
  using TreeModel::TreeModel;

 protected:
  using Numbers = std::vector<std::uint32_t>;

  /// The children of a node; of `topNode` those at the top.
  virtual const Numbers& childrenOf(std::uint32_t node) const = 0;
  virtual std::uint32_t parentOfNode(std::uint32_t node) const = 0;
  virtual std::uint32_t topNode() const { return 0; }
  /// To be called whenever the nodes are others.
  void numberRows(std::size_t nodes);

  std::uint32_t nodeOf(const QModelIndex& index) const {
    return index.isValid() ? static_cast<std::uint32_t>(index.internalId()) : topNode();
  }
  QModelIndex indexOf(std::uint32_t node) const { return indexOfId(node); }
  static const Numbers& none();

 private:
  quintptr topId() const final { return topNode(); }
  std::size_t childCount(quintptr id) const final { return childrenOf(static_cast<std::uint32_t>(id)).size(); }
  quintptr childAt(quintptr id, std::size_t row) const final { return childrenOf(static_cast<std::uint32_t>(id))[row]; }
  quintptr parentOf(quintptr id) const final { return parentOfNode(static_cast<std::uint32_t>(id)); }
  int rowOf(quintptr id) const final { return m_rows[id]; }

  std::vector<int> m_rows;  // by node, in its parent
};

}  // namespace heapscape::gui
