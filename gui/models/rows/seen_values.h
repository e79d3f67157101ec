// SPDX-License-Identifier: MIT
#pragma once

#include <QModelIndexList>
#include <QObject>
#include <QTimer>
#include <functional>
#include <vector>

#include "bridge/engine_bridge.h"
#include "models/rows/value_cells.h"

class QTreeView;

namespace heapscape::gui {

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
