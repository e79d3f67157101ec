// SPDX-License-Identifier: MIT
#pragma once

#include <QModelIndexList>
#include <QObject>
#include <QTimer>
#include <QVariant>
#include <cstdint>
#include <functional>
#include <unordered_map>
#include <vector>

#include "base/address.h"
#include "bridge/engine_bridge.h"
#include "query/query_value.h"

class QTreeView;

namespace heapscape::gui {

/// Cells of a tree's column "Value" for the objects that its rows are about: what a string holds, of a collection the
/// count and the first items, of a record its first fields.
class ValueCells {
 public:
  bool has(engine::Address object) const { return m_values.contains(object.value); }
  void add(engine::Address object, engine::QueryValue value) { m_values[object.value] = std::move(value); }
  void clear() { m_values.clear(); }

  /// Nothing for no object, and as long as its value was not read.
  QVariant data(engine::Address object, int role) const;
  /// Data of the column's heading.
  static QVariant headerData(int role);

 private:
  std::unordered_map<std::uint64_t, engine::QueryValue> m_values;  // by address
};

/// Reads what the column "Value" of a tree says, of the rows that come into sight, and of others before they are copied
/// or pinned; nothing while the column is hidden, and nothing twice.
class SeenValues : public QObject {
  Q_OBJECT

 public:
  /// Where the column stands in the tree's model, and the object that a row is about; 0 for none.
  struct Column {
    int section = 0;
    std::function<engine::Address(const QModelIndex& row)> objectOf;
    ValueCells& cells;
  };

  /// Lives as long as the tree, which has its model; the bridge and the cells outlive both.
  SeenValues(EngineBridge& bridge, QTreeView& tree, Column column);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  /// From now on values of another dump are asked for.
  void forget();
  std::vector<engine::Address> missingOf(const QModelIndexList& rows) const;
  void readSeen();
  /// Calls `done` once all that can be read of these rows is there: at once if nothing is missing.
  void readThen(const char* channel, const QModelIndexList& rows, std::function<void()> done);
  void tell(const QModelIndexList& rows);

  EngineBridge& m_bridge;
  QTreeView& m_tree;
  const Column m_column;
  QTimer m_soon;  // a turn of the event loop after rows were painted
};

}  // namespace heapscape::gui
