// SPDX-License-Identifier: MIT
#pragma once

#include <QAbstractTableModel>
#include <memory>
#include <vector>

#include "models/rows/row_list.h"

namespace heapscape::gui {

/// A RowList as a table, in an order that the engine has made. Sorting and filtering is a new question, not the model's
/// work.
class RowsModel : public QAbstractTableModel {
  Q_OBJECT

 public:
  /// The columns of every list that is going to be shown.
  explicit RowsModel(std::vector<ColumnSetup> columns, QObject* parent = nullptr)
      : QAbstractTableModel(parent), m_columns(std::move(columns)) {}

  void show(std::shared_ptr<const RowList> list, std::vector<std::uint32_t> order);
  void clear() { show(nullptr, {}); }

  const std::shared_ptr<const RowList>& list() const { return m_list; }
  /// The list's row that a line of the table shows.
  std::uint32_t rowAt(int line) const { return m_order[static_cast<std::size_t>(line)]; }
  int lineOf(std::uint32_t row) const;  // -1 if it is not shown

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

 private:
  QVariant cellData(std::uint32_t row, std::size_t column, int role) const;

  std::vector<ColumnSetup> m_columns;
  std::shared_ptr<const RowList> m_list;
  std::vector<std::uint32_t> m_order;
};

}  // namespace heapscape::gui
