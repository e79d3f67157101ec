// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>
#include <memory>

#include "bridge/engine_bridge.h"
#include "bridge/navigator.h"
#include "views/types/object_list.h"

class QLabel;
class QToolButton;

namespace heapscape::gui {

class InsightsSource;
class ObjectGroupsPanel;
class QueryEdit;
class QueryErrorLine;

/// The objects that fit a query, of the whole heap, of a part of it, or of an insight: all of them, exact totals, and
/// on demand what all of them retain together.
class ObjectSearchView : public QWidget {
  Q_OBJECT

 public:
  ObjectSearchView(EngineBridge& bridge, Navigator& navigator, QWidget* parent = nullptr);

  void showSnapshot(const engine::Snapshot& snapshot);
  void clear();
  void setScope(const engine::HeapScope& scope);
  /// Picks an object without telling anyone.
  void follow(engine::Address object);
  /// Those of an insight, or of the whole heap.
  void ask(const QString& query, std::optional<InsightKey> insight);
  void groupByType();
  QString query() const;
  const std::optional<InsightKey>& insight() const { return m_insight; }

 Q_SIGNALS:
  /// By whoever uses the window.
  void queryChanged(const QString& query);

 protected:
  void showEvent(QShowEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  void buildLine();
  void updateLook();
  void search();
  /// In place of what was found, those of the group that is picked.
  void showGroup();
  /// False if the objects of the insight are not known now; then the list says why.
  bool findAmong(engine::ObjectSearch& search);
  void showNoInsights(InsightsSource& source);
  void followInsights(InsightsSource& source);
  void showComplaint(const QString& complaint);
  void take(ObjectList::Answer answer);
  void showLimit();
  void showTotals();
  void showNone();
  void askRetained();
  /// Forgets the list, for which there is something else to be said.
  void drop();
  void showFailure(const engine::Error& error);

  EngineBridge& m_bridge;
  Navigator& m_navigator;
  QueryEdit* m_query;
  QueryErrorLine* m_error = nullptr;
  QToolButton* m_limit;
  QLabel* m_totals;
  QToolButton* m_retained;
  ObjectList* m_list;
  ObjectGroupsPanel* m_groups;
  std::shared_ptr<const FoundObjectList> m_found;  // all that fit; the list may show a group of them
  engine::HeapScope m_scope;
  std::optional<InsightKey> m_insight;
  bool m_followsInsights = false;
  bool m_isOld = true;    // what is shown, or nothing yet
  QString m_listedQuery;  // and the insight that it answers
  std::optional<InsightKey> m_listedInsight;
  QString m_retainedText;
};

}  // namespace heapscape::gui
