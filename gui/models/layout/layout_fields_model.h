// SPDX-License-Identifier: MIT
#pragma once

#include <QAbstractItemModel>
#include <memory>
#include <vector>

#include "layout/layout_items.h"

namespace heapscape::gui {

/// The stretches of a layout as a table, those inside a value type below it.
class LayoutFieldsModel : public QAbstractItemModel {
  Q_OBJECT

 public:
  enum Column : int { OffsetColumn, SizeColumn, FieldColumn, TypeColumn, DeclaredColumn, ColumnCount };

  using QAbstractItemModel::QAbstractItemModel;

  void show(std::shared_ptr<const engine::LayoutItems> items);  // null for none
  std::uint32_t itemOf(const QModelIndex& index) const;
  QModelIndex indexOf(std::uint32_t item) const;

  QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
  QModelIndex parent(const QModelIndex& child) const override;
  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

 private:
  const std::vector<std::uint32_t>& childrenOf(const QModelIndex& parent) const;
  QVariant text(const engine::LayoutItem& item, int column, int role) const;

  std::shared_ptr<const engine::LayoutItems> m_items;
  std::vector<int> m_rowInParent;  // by item
};

}  // namespace heapscape::gui
