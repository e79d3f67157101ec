// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>
#include <memory>

#include "bridge/engine_bridge.h"
#include "bridge/navigator.h"
#include "session/roots/held_roots.h"

class QStackedLayout;
class QTreeView;

namespace heapscape::gui {

class GroupChoice;
class RootTreeModel;
class StatePanel;

/// All roots by owner, or grouped otherwise, and what each keeps alive that nothing else does.
class RootTreePanel : public QWidget {
  Q_OBJECT

 public:
  RootTreePanel(EngineBridge& bridge, Navigator& navigator, QWidget* parent = nullptr);

  /// Null while retained sizes are not known.
  void show(std::shared_ptr<const engine::HeldRoots> roots);

 private:
  void addTree();
  QWidget* buildHead();
  void regroup();
  void showRoots(std::shared_ptr<const engine::HeldRoots> roots, bool isByOwner);
  void openSmallGroups();
  void showState();
  void pick(const QModelIndex& index);
  void openMenu(const QPoint& position);

  EngineBridge& m_bridge;
  Navigator& m_navigator;
  RootTreeModel* m_model;
  QTreeView* m_tree;
  GroupChoice* m_choice;
  std::shared_ptr<const engine::HeldRoots> m_held;  // by owner
  StatePanel* m_state;
  QStackedLayout* m_pages;
};

}  // namespace heapscape::gui
