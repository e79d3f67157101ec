// SPDX-License-Identifier: MIT
#pragma once

#include <QAbstractTableModel>
#include <memory>

#include "models/rows/type_rows.h"

namespace heapscape::gui {

/// The types of an answer as a table. Sorting and filtering is a new question to the engine, not the model's work.
class TypeTableModel : public QAbstractTableModel {
  Q_OBJECT

 public:
  using QAbstractTableModel::QAbstractTableModel;

  void show(std::shared_ptr<const TypeRows> rows);  // null for none
  const std::shared_ptr<const TypeRows>& rows() const { return m_rows; }

  engine::TypeId typeAt(int row) const;
  /// -1 if the type is not among the rows.
  int rowOf(engine::Address methodTable) const;

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

 private:
  std::shared_ptr<const TypeRows> m_rows;
};

}  // namespace heapscape::gui
