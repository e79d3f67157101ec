// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>

#include "bridge/engine_bridge.h"
#include "models/layout_types.h"

class QLabel;
class QLineEdit;
class QStackedLayout;
class QTableView;
class QTimer;

namespace heapscape::gui {

class LayoutTypesModel;
class StatePanel;

/// The loaded types to pick from, those first whose padding costs the heap most.
class LayoutTypesList : public QWidget {
  Q_OBJECT

 public:
  explicit LayoutTypesList(EngineBridge& bridge, QWidget* parent = nullptr);

  /// Asks for the types of the open dump.
  void load();
  void clear();
  /// Picks a type without telling anyone.
  void follow(engine::Address methodTable);

 Q_SIGNALS:
  void picked(heapscape::engine::Address methodTable);
  /// Once the types are known; the first of the list.
  void firstKnown(heapscape::engine::Address methodTable);

 private:
  void addParts();
  void ask();
  void take(engine::Outcome<LayoutTypeAnswer> answer);
  void sortBy(int section);
  void followNow();

  EngineBridge& m_bridge;
  LayoutTypesModel* m_model;
  QLineEdit* m_filter;
  QTableView* m_table;
  StatePanel* m_state;
  QStackedLayout* m_pages;
  QTimer* m_rest;
  LayoutTypeQuestion m_question;
  engine::Address m_followed;
  bool m_isFollowing = false;
};

}  // namespace heapscape::gui
