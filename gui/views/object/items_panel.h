// SPDX-License-Identifier: MIT
#pragma once

#include <QAbstractTableModel>
#include <QWidget>
#include <memory>
#include <optional>
#include <vector>

#include "bridge/engine_bridge.h"
#include "session/details/object_details.h"
#include "widgets/hex_view/object_page.h"

class QLineEdit;
class QTableView;

namespace heapscape::gui {

/// Items of a collection in its own order, from any index on, loaded page by page as the user scrolls.
class ItemsModel : public QAbstractTableModel {
  Q_OBJECT

 public:
  enum Column : int { LabelColumn, KeyColumn, ValueColumn, TypeColumn, RetainedColumn, ColumnCount };

  using QAbstractTableModel::QAbstractTableModel;

  void show(const engine::CollectionDetails& collection);
  void clear();
  /// Where retained sizes come from, once they are known, or nothing; the items stay.
  void setSnapshot(std::optional<engine::Snapshot> snapshot);
  /// Shows the items from `first` on instead.
  void jumpTo(std::uint64_t first);
  /// Answers itemsWanted(); what was asked for before the last jump is dropped.
  void append(std::uint64_t first, std::vector<engine::CollectionItem> items);
  void fail();

  std::uint64_t first() const { return m_first; }
  std::uint64_t count() const { return m_count; }
  bool hasKeys() const { return m_hasKeys; }
  const engine::CollectionItem& itemAt(int row) const { return m_items[static_cast<std::size_t>(row)]; }
  /// The object that a cell leads to; 0 for none.
  engine::Address targetAt(const QModelIndex& index) const;
  /// "[42]", as C# would write it.
  QString nameOf(int row) const;

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;
  bool canFetchMore(const QModelIndex& parent) const override;
  void fetchMore(const QModelIndex& parent) override;

 Q_SIGNALS:
  void itemsWanted(quint64 first, quint64 count);

 private:
  const engine::Value* valueAt(const QModelIndex& index) const;

  std::vector<engine::CollectionItem> m_items;
  std::uint64_t m_first = 0;
  std::uint64_t m_count = 0;
  bool m_hasKeys = false;
  bool m_isWaiting = false;
  bool m_isAtEnd = true;
  std::optional<engine::Snapshot> m_snapshot;
};

class ElidedText;

/// A collection as the program sees it: its items, not the arrays and nodes that they lie in.
class ItemsPanel : public QWidget {
  Q_OBJECT

 public:
  explicit ItemsPanel(EngineBridge& bridge, QWidget* parent = nullptr);

  /// Where retained sizes come from; nothing for none.
  void setSnapshot(std::optional<engine::Snapshot> snapshot);
  void show(std::shared_ptr<const ObjectPage> page);  // null, or no collection: nothing

 Q_SIGNALS:
  void followWanted(heapscape::engine::Address object, const QString& via);

 private:
  void setUpTable();
  void ask(quint64 first, quint64 count);
  void jump();
  void follow(const QModelIndex& index);
  void openContextMenu(const QPoint& position);

  EngineBridge& m_bridge;
  ItemsModel* m_model;
  QTableView* m_table;
  ElidedText* m_facts;
  ElidedText* m_damage;
  QLineEdit* m_jump;
  engine::Address m_collection;
};

/// "Dictionary · 2,500 items · room for 3,571".
QString collectionFacts(const engine::CollectionDetails& collection);

}  // namespace heapscape::gui
