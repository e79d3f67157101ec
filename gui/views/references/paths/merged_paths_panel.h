// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>
#include <memory>

#include "session/references/paths_query.h"

class QLabel;
class QTreeView;

namespace heapscape::gui {

class MergedPathsModel;

/// Why all objects of a type are alive, as one tree.
class MergedPathsPanel : public QWidget {
  Q_OBJECT

 public:
  explicit MergedPathsPanel(QWidget* parent = nullptr);

  void show(std::shared_ptr<const engine::MergedPaths> paths);  // null for none

 private:
  void openFirst();

  MergedPathsModel* m_model;
  QTreeView* m_tree;
  QLabel* m_note;
};

}  // namespace heapscape::gui
