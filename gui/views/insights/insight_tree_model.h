// SPDX-License-Identifier: MIT
#pragma once

#include <QAbstractItemModel>

#include "views/insights/insight_groups.h"

namespace heapscape::gui {

/// Insights below the kind they belong to.
class InsightTreeModel : public QAbstractItemModel {
  Q_OBJECT

 public:
  using QAbstractItemModel::QAbstractItemModel;

  /// `found` is null to show nothing.
  void show(std::shared_ptr<const FoundInsights> found, InsightTable table);
  const InsightTable& table() const { return m_table; }

  /// Nothing for a group.
  std::optional<std::uint32_t> insightAt(const QModelIndex& index) const;
  const engine::Insight* at(const QModelIndex& index) const;
  QModelIndex indexOf(std::uint32_t insight) const;

  QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
  QModelIndex parent(const QModelIndex& index) const override;
  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

 private:
  QVariant groupData(const InsightGroup& group, InsightColumn column, int role) const;
  QVariant insightData(const engine::Insight& insight, InsightColumn column, int role) const;

  std::shared_ptr<const FoundInsights> m_found;
  InsightTable m_table;
  std::uint64_t m_mostBytes = 0;  // of an insight or a group: what bars are as long as
};

}  // namespace heapscape::gui
