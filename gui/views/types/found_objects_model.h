// SPDX-License-Identifier: MIT
#pragma once

#include <QAbstractTableModel>
#include <memory>

#include "query/object_search.h"
#include "session/snapshot.h"

namespace heapscape::gui {

/// What a search has found, as a table.
struct FoundObjectList {
  engine::Snapshot snapshot;
  engine::ObjectSearch search;
  engine::FoundObjects found;
};

/// The objects of an answer, in the order that the engine has made.
class FoundObjectsModel : public QAbstractTableModel {
  Q_OBJECT

 public:
  enum Column : int { AddressColumn, TypeColumn, SizeColumn, RetainedColumn, GenerationColumn, ColumnCount };

  using QAbstractTableModel::QAbstractTableModel;

  void show(std::shared_ptr<const FoundObjectList> list);  // null for none
  const engine::FoundObject& objectAt(int row) const { return m_list->found.rows[static_cast<std::size_t>(row)]; }
  int rowOf(engine::Address object) const;  // -1 if it is not shown

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

 private:
  std::shared_ptr<const FoundObjectList> m_list;
};

}  // namespace heapscape::gui
