// SPDX-License-Identifier: MIT
#pragma once

#include "views/place.h"

class QLabel;
class QStackedWidget;
class QTabWidget;
class QToolButton;

namespace heapscape::gui {

class CutBar;
class CutList;
class DominatorView;
class ReferenceGraphView;
class StatePanel;
class WhatIfView;
class WhyAliveView;

/// The place References: the reference graph around an object, the dominator tree, GC root paths, and what would be
/// freed if something let go.
class ReferencesPlace : public Place {
  Q_OBJECT

 public:
  ReferencesPlace(EngineBridge& bridge, Navigator& navigator, QWidget* parent = nullptr);

  PlaceId id() const override { return PlaceId::References; }
  QString title() const override { return u"References"_s; }
  void showSnapshot(const engine::Snapshot& snapshot) override;
  void clear() override;
  void follow(const Location& location) override;

 private:
  void buildTabs();
  void letShownPageCount();
  void connectCuts();
  void showState();
  void showCuts();
  void showSet(const QString& set);

  CutList* m_cuts;
  ReferenceGraphView* m_graph;
  DominatorView* m_dominators;
  WhyAliveView* m_whyAlive;
  WhatIfView* m_whatIf;
  CutBar* m_cutBar;
  QTabWidget* m_tabs;
  QToolButton* m_set;  // what they are about, if it is a set
  QLabel* m_live;
  QToolButton* m_garbage;
  StatePanel* m_state;
  QStackedWidget* m_stack;
};

}  // namespace heapscape::gui
