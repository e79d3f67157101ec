// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>

#include "bridge/engine_bridge.h"
#include "bridge/navigator.h"
#include "views/types/object_list.h"

class QLabel;
class QToolButton;

namespace heapscape::gui {

class QueryEdit;
class QueryErrorLine;

/// The objects of the selected type in the part of the heap of the list of types: all, or those that fit a query.
class InstancesPanel : public QWidget {
  Q_OBJECT

 public:
  InstancesPanel(EngineBridge& bridge, Navigator& navigator, QWidget* parent = nullptr);

  /// Beside another list: with values that can be read.
  int wantedWidth() const;
  /// Loads once the panel can be seen. `count` is what the list of types says of the type.
  void show(engine::Address methodTable, const QString& typeName, std::uint64_t count, const engine::HeapScope& scope);
  void showSnapshot(const engine::Snapshot& snapshot);
  /// Waits for the next type.
  void showNoType();
  /// Shows nothing, without a dump.
  void clear();
  /// Another file is opened: what was asked of the last one is dropped if it finds nothing there.
  void beginFile();
  /// Picks an object without telling anyone.
  void follow(engine::Address object);

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  void load();
  void take(ObjectList::Answer answer);
  void showPicked();
  void showNone();
  void showComplaint(const QString& complaint);
  void updateHeading();

  EngineBridge& m_bridge;
  Navigator& m_navigator;
  ObjectList* m_list;
  QLabel* m_heading;
  QueryEdit* m_query;
  QueryErrorLine* m_error = nullptr;
  QToolButton* m_open;
  QToolButton* m_showOnMap;

  engine::Address m_methodTable;
  QString m_typeName;
  std::uint64_t m_count = 0;
  engine::HeapScope m_scope;
  engine::Address m_followed;
  engine::Address m_listedType;  // what the list answers
  engine::HeapScope m_listedScope;
  QString m_listedQuery;
  bool m_isLoaded = false;
};

}  // namespace heapscape::gui
