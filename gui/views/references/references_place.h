// SPDX-License-Identifier: MIT
#pragma once

#include "views/place.h"

class QLabel;
class QStackedWidget;
class QTabWidget;

namespace heapscape::gui {

class DominatorView;
class ReferenceGraphView;
class StatePanel;
class WhyAliveView;

/// Who holds what: the reference graph around an object, the dominator tree, and why something is alive.
class ReferencesPlace : public Place {
  Q_OBJECT

 public:
  ReferencesPlace(EngineBridge& bridge, Navigator& navigator, QWidget* parent = nullptr);

  PlaceId id() const override { return PlaceId::References; }
  QString title() const override { return QStringLiteral("References"); }
  void showSnapshot(const engine::Snapshot& snapshot) override;
  void clear() override;
  void follow(const Location& location) override;

 private:
  void buildTabs();
  void showState();

  ReferenceGraphView* m_graph;
  DominatorView* m_dominators;
  WhyAliveView* m_whyAlive;
  QTabWidget* m_tabs;
  QLabel* m_totals;
  StatePanel* m_state;
  QStackedWidget* m_stack;
};

}  // namespace heapscape::gui
