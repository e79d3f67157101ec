// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>

#include "bridge/navigator.h"
#include "views/references/cuts/cut_list.h"

class QLabel;
class QSplitter;
class QStackedWidget;

namespace heapscape::gui {

class PartTabs;
class RowsPanel;
class StatePanel;
class WhatIfDoor;

/// The cuts one by one with what each would free, and all that would be freed, by type and by object. A page of the
/// place References.
class WhatIfView : public QWidget {
  Q_OBJECT

 public:
  WhatIfView(EngineBridge& bridge, Navigator& navigator, CutList& cuts, QWidget* parent = nullptr);

  void showSnapshot(const engine::Snapshot& snapshot);
  void clear();
  /// What is picked, which the page offers while nothing is cut.
  void follow(const Location& location);

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  RowsPanel* addCuts(EngineBridge& bridge, Navigator& navigator);
  void showCuts();
  void showAnswer(const CutAnswer& answer);

  CutList& m_list;
  std::shared_ptr<const CutAnswer> m_shown;
  RowsPanel* m_cuts;
  RowsPanel* m_types;
  RowsPanel* m_objects;
  QLabel* m_freed;
  QLabel* m_together;
  QSplitter* m_body = nullptr;
  PartTabs* m_parts;  // of the body
  StatePanel* m_state;
  WhatIfDoor* m_door;  // in place of that while nothing is cut
  QStackedWidget* m_pages;
};

}  // namespace heapscape::gui
