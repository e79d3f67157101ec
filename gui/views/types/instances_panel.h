// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>

#include "bridge/engine_bridge.h"
#include "bridge/navigator.h"

class QLabel;
class QStackedLayout;
class QTableView;
class QToolButton;

namespace heapscape::gui {

class InstancesModel;
class QueryEdit;
class QueryErrorLine;
class StatePanel;

/// The objects of the selected type in the part of the heap that the list of types is about; those that fit a query.
class InstancesPanel : public QWidget {
  Q_OBJECT

 public:
  InstancesPanel(EngineBridge& bridge, Navigator& navigator, QWidget* parent = nullptr);

  /// Loads once the panel can be seen. `count` is what the list of types says of the type.
  void show(engine::Address methodTable, const QString& typeName, std::uint64_t count, const engine::HeapScope& scope);
  void showSnapshot(const engine::Snapshot& snapshot);
  /// Waits for the next type.
  void showNoType();
  /// The same, without a dump.
  void clear();
  /// Another file is opened: what was asked of the last one is dropped if it finds nothing there.
  void beginFile();
  /// Picks an object without telling anyone.
  void follow(engine::Address object);

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  void load();
  void askForPage(engine::Address from);
  void askForMatches();
  void setPicked(bool isPicked);
  void openContextMenu(const QPoint& position);
  void showNone();
  void showComplaint(const QString& complaint);
  void updateHeading();
  Selection current() const;

  EngineBridge& m_bridge;
  Navigator& m_navigator;
  InstancesModel* m_model;
  QTableView* m_table;
  QLabel* m_heading;
  QueryEdit* m_query;
  QueryErrorLine* m_error = nullptr;
  QToolButton* m_open;
  QToolButton* m_showOnMap;
  StatePanel* m_state;
  QStackedLayout* m_pages;

  engine::Address m_methodTable;
  QString m_typeName;
  std::uint64_t m_count = 0;
  engine::HeapScope m_scope;
  engine::Address m_followed;
  bool m_isLoaded = false;
  bool m_isFollowing = false;
};

}  // namespace heapscape::gui
