// SPDX-License-Identifier: MIT
#pragma once

#include <QAbstractTableModel>
#include <optional>
#include <vector>

#include "session/objects/object_query.h"

namespace heapscape::gui {

/// Objects of one type, in address order, loaded page by page as the user scrolls.
class InstancesModel : public QAbstractTableModel {
  Q_OBJECT

 public:
  enum Column : int { AddressColumn, SizeColumn, RetainedColumn, GenerationColumn, ColumnCount };

  using QAbstractTableModel::QAbstractTableModel;

  /// Empties the list; pages are asked for from the first on.
  void start();
  void clear();
  void append(std::vector<engine::ObjectRow> page, bool hasMore);

  const engine::ObjectRow& objectAt(int row) const { return m_objects[static_cast<std::size_t>(row)]; }
  /// Where retained sizes come from, once they are known, or nothing; the objects stay.
  void setSnapshot(std::optional<engine::Snapshot> snapshot);

  int rowOf(engine::Address object) const;  // -1 if it is not loaded
  bool hasMore() const { return m_hasMore; }

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;
  bool canFetchMore(const QModelIndex& parent) const override;
  void fetchMore(const QModelIndex& parent) override;

 Q_SIGNALS:
  /// Objects that start at `from` or behind it.
  void pageWanted(heapscape::engine::Address from);

 private:
  std::vector<engine::ObjectRow> m_objects;
  std::optional<engine::Snapshot> m_snapshot;
  int m_commonDigits = 0;  // characters that all addresses begin with
  bool m_hasMore = false;
  bool m_isWaiting = false;
};

}  // namespace heapscape::gui
