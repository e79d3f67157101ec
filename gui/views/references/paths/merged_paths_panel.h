// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>
#include <memory>

#include "bridge/engine_bridge.h"
#include "bridge/navigator.h"
#include "session/references/paths_query.h"

class QLabel;
class QTreeView;

namespace heapscape::gui {

class MergedPathsModel;

/// Why all objects of a type, or of a set, are alive, as one tree.
class MergedPathsPanel : public QWidget {
  Q_OBJECT

 public:
  MergedPathsPanel(EngineBridge& bridge, Navigator& navigator, QWidget* parent = nullptr);

  void show(std::shared_ptr<const engine::MergedPaths> paths);  // null for none

 private:
  void openFirst();
  void openMenu(const QPoint& position);

  EngineBridge& m_bridge;
  Navigator& m_navigator;
  MergedPathsModel* m_model;
  QTreeView* m_tree;
  QLabel* m_note;
};

}  // namespace heapscape::gui
