// SPDX-License-Identifier: MIT
#pragma once

#include <QScrollArea>

#include "bridge/engine_bridge.h"
#include "bridge/navigator.h"
#include "insight/insight.h"
#include "models/insights_source.h"
#include "models/rows/row_list.h"
#include "views/insights/insight_tree_model.h"

class QVBoxLayout;

namespace heapscape::gui {

class RowList;
class RowObjects;
class RowsTable;

/// The objects or gaps of an insight as rows.
RowSchema<engine::InsightItem> insightItemSchema(engine::InsightKind kind);

/// All that there is to say of one insight: what it costs and what to do about it, who holds it, and its objects. Of a
/// group what it comes to, its largest insights, and of a kind the change of code.
class InsightDetail : public QScrollArea {
  Q_OBJECT

 public:
  InsightDetail(EngineBridge& bridge, Navigator& navigator, QWidget* parent = nullptr);

  void show(std::shared_ptr<const FoundInsights> found, std::uint32_t insight);
  void showGroup(const FoundInsights& found, const InsightGroup& group);
  void clear();

 Q_SIGNALS:
  /// The insights of the group that is shown shall be listed.
  void openWanted(const QString& key);

 private:
  QVBoxLayout* beginBody();
  const engine::Insight& insight() const { return m_found->list.insights[m_insight]; }
  void addHead(QVBoxLayout* column);
  /// The assembly of a type, if that is a package; else empty.
  QString packageOf(engine::Address methodTable) const;
  void addButtons(QVBoxLayout* column);
  /// The change of code that it asks for, as C#.
  void addExample(QVBoxLayout* column, const engine::Insight& insight);
  /// What a group is of, the most bytes first.
  void addInsights(QVBoxLayout* column, const FoundInsights& found, const InsightGroup& group);
  void addFacts(QVBoxLayout* column);
  void addPath(QVBoxLayout* column);
  void addOwners(QVBoxLayout* column);
  void addItems(QVBoxLayout* column);
  /// Reads what the table shows of the objects that are its items.
  void readItems(RowObjects& objects);
  void openItemMenu(const QPoint& position);
  /// The item that is picked, or else the costliest one.
  Selection item() const;

  EngineBridge& m_bridge;
  Navigator& m_navigator;
  std::shared_ptr<const FoundInsights> m_found;
  std::uint32_t m_insight = 0;
  std::shared_ptr<const RowList> m_items;
  RowsTable* m_table = nullptr;
};

}  // namespace heapscape::gui
