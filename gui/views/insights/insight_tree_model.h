// SPDX-License-Identifier: MIT
#pragma once

#include "models/trees/tree_model.h"
#include "views/insights/insight_groups.h"

namespace heapscape::gui {

/// A line of InsightTreeModel: a group, or one of its insights.
struct InsightLine {
  const InsightGroup* group = nullptr;
  std::optional<std::uint32_t> insight = {};  // nothing for the group itself
  InsightLine* parent = nullptr;
  int row = 0;
  std::vector<std::unique_ptr<InsightLine>> children = {};
};

/// Insights below the kind they belong to.
class InsightTreeModel : public TreeModelOf<InsightLine> {
  Q_OBJECT

 public:
  explicit InsightTreeModel(QObject* parent = nullptr);

  /// `found` is null to show nothing.
  void show(std::shared_ptr<const FoundInsights> found, InsightTable table);
  const InsightTable& table() const { return m_table; }

  /// Nothing for a group.
  std::optional<std::uint32_t> insightAt(const QModelIndex& index) const { return nodeOf(index).insight; }
  const engine::Insight* at(const QModelIndex& index) const;
  QModelIndex indexOf(std::uint32_t insight) const;

 private:
  const InsightLine* top() const override { return &m_top; }
  QVariant cell(const QModelIndex& index, int role) const override;
  QVariant groupData(const InsightGroup& group, InsightColumn column, int role) const;
  QVariant insightData(const engine::Insight& insight, InsightColumn column, int role) const;

  std::shared_ptr<const FoundInsights> m_found;
  InsightTable m_table;
  InsightLine m_top;
  std::uint64_t m_mostBytes = 0;  // of an insight or a group: what bars are as long as
};

}  // namespace heapscape::gui
