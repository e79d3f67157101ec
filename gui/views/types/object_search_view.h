// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>
#include <memory>

#include "bridge/engine_bridge.h"
#include "bridge/navigator.h"
#include "views/types/found_objects_model.h"

class QLabel;
class QStackedLayout;
class QTableView;
class QToolButton;

namespace heapscape::gui {

class QueryEdit;
class StatePanel;

/// The objects of the whole heap that fit a query: the first 100,000 of them, exact totals of all, and on demand what
/// all of them retain together.
class ObjectSearchView : public QWidget {
  Q_OBJECT

 public:
  ObjectSearchView(EngineBridge& bridge, Navigator& navigator, QWidget* parent = nullptr);

  void showSnapshot(const engine::Snapshot& snapshot);
  void clear();
  void setScope(const engine::HeapScope& scope);
  /// Picks an object without telling anyone.
  void follow(engine::Address object);
  void ask(const QString& query);

 protected:
  void showEvent(QShowEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  using Answer = engine::Outcome<std::shared_ptr<const FoundObjectList>>;

  void buildLine();
  void buildTable();
  void updateLook();
  void search();
  void take(Answer answer);
  void showTotals();
  void showState();
  void sortBy(int section);
  void askRetained();
  void openMenu(const QPoint& position);
  void showFailure(const engine::Error& error);

  EngineBridge& m_bridge;
  Navigator& m_navigator;
  QueryEdit* m_query;
  QLabel* m_totals;
  QToolButton* m_retained;
  FoundObjectsModel* m_model;
  QTableView* m_table;
  StatePanel* m_state;
  QStackedLayout* m_pages;
  engine::HeapScope m_scope;
  int m_sortColumn = FoundObjectsModel::RetainedColumn;
  bool m_descending = true;
  bool m_isOld = true;  // what is shown, or nothing yet
  bool m_isFollowing = false;
  std::shared_ptr<const FoundObjectList> m_list;
  QString m_retainedText;
};

}  // namespace heapscape::gui
