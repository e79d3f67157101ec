// SPDX-License-Identifier: MIT
#pragma once

#include <QAbstractItemModel>
#include <memory>
#include <unordered_map>
#include <vector>

#include "bridge/engine_bridge.h"
#include "models/rows/value_cells.h"
#include "views/references/dominators/dominator_scene.h"

namespace heapscape::gui {

/// The dominator tree as rows: the top of a scene as the one root, children in pages as they are scrolled to.
class DominatorModel : public QAbstractItemModel {
  Q_OBJECT

 public:
  enum Column {
    NameColumn,
    ValueColumn,
    AddressColumn,
    ObjectsColumn,
    OwnColumn,
    HeldColumn,
    RetainedColumn,
    ShareColumn,
    ColumnCount
  };

  explicit DominatorModel(EngineBridge& bridge, QObject* parent = nullptr);
  ~DominatorModel() override;

  /// Null for none. Shares are of `wholeBytes`.
  void show(SharedScene scene, std::uint64_t wholeBytes);

  ValueCells& values() { return m_values; }

  /// Null if there is no such row.
  const engine::DominatorNode* nodeAt(const QModelIndex& index) const;
  /// Only of rows that have been asked for.
  QModelIndex indexOf(std::uint32_t node) const;

  QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
  QModelIndex parent(const QModelIndex& child) const override;
  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  bool hasChildren(const QModelIndex& parent = {}) const override;
  /// Only of the first page: a tree view fetches whenever it lays out its rows, and would not stop.
  bool canFetchMore(const QModelIndex& parent) const override;
  void fetchMore(const QModelIndex& parent) override;
  /// Asks for one more page of children, if there are more and none is asked for.
  void fetchNext(const QModelIndex& parent);
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

 private:
  struct Item;

  Item* itemOf(const QModelIndex& index) const;
  QModelIndex indexOf(const Item& item) const;
  std::unique_ptr<Item> makeItem(engine::DominatorNode node, Item* parent, std::size_t row);
  /// Puts a page behind the children that are there.
  void append(Item& item, engine::DominatorPage page);
  QVariant figure(const engine::DominatorNode& node, int column, int role) const;

  EngineBridge& m_bridge;
  SharedScene m_scene;
  std::uint64_t m_wholeBytes = 0;
  std::uint64_t m_showing = 0;  // counts scenes: pages of an older one are dropped
  ValueCells m_values;
  std::unique_ptr<Item> m_root;
  std::unordered_map<std::uint32_t, Item*> m_items;  // by node
};

}  // namespace heapscape::gui
