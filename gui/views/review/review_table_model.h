// SPDX-License-Identifier: MIT
#pragma once

#include <QAbstractTableModel>

#include "review/board.h"

namespace heapscape::gui {

/// A pinned table, as it was.
class ReviewTableModel : public QAbstractTableModel {
  Q_OBJECT

 public:
  using QAbstractTableModel::QAbstractTableModel;

  void show(engine::ReviewTable table);

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

 private:
  engine::ReviewTable m_table;
};

}  // namespace heapscape::gui
