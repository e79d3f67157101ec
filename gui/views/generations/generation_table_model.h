// SPDX-License-Identifier: MIT
#pragma once

#include <QAbstractTableModel>
#include <vector>

#include "session/door/snapshot.h"
#include "session/types/type_query.h"

namespace heapscape::gui {

/// The figures of the generations' picture: a row for each heap's generations, and their sum.
class GenerationTableModel : public QAbstractTableModel {
  Q_OBJECT

 public:
  enum Column {
    HeapColumn,
    GenerationColumn,
    ObjectsColumn,
    UsedColumn,
    FreeColumn,
    FreeShareColumn,
    ShareColumn,
    ColumnCount
  };
  enum Role { GenerationRole = Qt::UserRole, EmptyRole };

  using QAbstractTableModel::QAbstractTableModel;

  void setRows(const std::vector<engine::GenerationRow>& rows);
  /// The part of the heap that a row is about.
  engine::HeapScope scopeOf(int row) const;

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

 private:
  bool isSum(int row) const { return row == static_cast<int>(m_rows.size()); }
  const engine::ObjectTotals& totalsOf(int row) const;
  QString text(int row, int column) const;
  QString exactText(int row, int column) const;

  std::vector<engine::GenerationRow> m_rows;
  engine::ObjectTotals m_sum;
};

}  // namespace heapscape::gui
