// SPDX-License-Identifier: MIT
#pragma once

#include <QAbstractTableModel>
#include <optional>
#include <vector>

#include "session/door/snapshot.h"

namespace heapscape::gui {

/// What the runtime has loaded, a module a row.
class ModulesModel : public QAbstractTableModel {
  Q_OBJECT

 public:
  enum Column { NameColumn, SizeColumn, MetadataColumn, CodeColumn, ContextColumn, PathColumn, ColumnCount };

  explicit ModulesModel(QObject* parent = nullptr) : QAbstractTableModel(parent) {}

  void setSnapshot(const engine::Snapshot& snapshot);
  void clear();

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;
  void sort(int column, Qt::SortOrder order = Qt::AscendingOrder) override;

 private:
  const engine::ModuleRow& module(int row) const;
  void sortRows();

  std::optional<engine::Snapshot> m_snapshot;
  std::vector<std::size_t> m_rows;  // indices of modules, in display order
  int m_column = NameColumn;
  Qt::SortOrder m_order = Qt::AscendingOrder;
};

}  // namespace heapscape::gui
