// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <vector>

#include "layout/layout_items.h"
#include "models/trees/tree_model.h"

namespace heapscape::gui {

/// The stretches of a layout as a table, those inside a value type below it.
class LayoutFieldsModel : public NumberedTreeModel {
  Q_OBJECT

 public:
  enum Column : int { OffsetColumn, SizeColumn, FieldColumn, TypeColumn, DeclaredColumn, ColumnCount };

  explicit LayoutFieldsModel(QObject* parent = nullptr);

  void show(std::shared_ptr<const engine::LayoutItems> items);  // null for none
  std::uint32_t itemOf(const QModelIndex& index) const { return nodeOf(index); }
  QModelIndex indexOf(std::uint32_t item) const;

  QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

 private:
  std::uint32_t topNode() const override { return engine::LayoutItem::kNoItem; }
  const Numbers& childrenOf(std::uint32_t item) const override;
  std::uint32_t parentOfNode(std::uint32_t item) const override { return (*m_items)[item].parent; }
  QVariant cell(const QModelIndex& index, int role) const override;
  QVariant text(const engine::LayoutItem& item, int column, int role) const;

  std::shared_ptr<const engine::LayoutItems> m_items;
};

}  // namespace heapscape::gui
