// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>
#include <memory>
#include <string>
#include <vector>

#include "bridge/engine_bridge.h"
#include "bridge/navigator.h"
#include "models/rows/row_list.h"
#include "session/objects/retained_query.h"
#include "session/references/paths_query.h"
#include "session/references/what_if.h"
#include "tables/path_tables.h"

class QLabel;
class QMenu;

namespace heapscape::gui {

class RowsPanel;

/// A way from a root to the object, as a line of a list.
struct PathRow {
  engine::RootPath path;
  engine::RootRow root;
  engine::Retained alone;                    // what the root holds and no other one does
  std::vector<engine::RootRow> others = {};  // that lead to the same object: the first of them
};

/// A step of a way, or the gap where steps are left out.
struct StepRow {
  engine::ListedStep listed;  // empty in the gap
  std::uint64_t leftOut = 0;  // steps that the gap stands for; 0 for a step
};

RowSchema<PathRow> pathSchema();
RowSchema<StepRow> stepSchema();

/// Rows of an answer for the lists; on the engine thread.
std::vector<PathRow> pathRows(const engine::Snapshot& snapshot, const engine::RootPathList& list);
std::vector<StepRow> stepRows(const engine::Snapshot& snapshot, const engine::RootPath& path);

/// Made by askPaths().
struct ObjectPathsAnswer {
  std::shared_ptr<const std::vector<PathRow>> paths;
  std::vector<std::shared_ptr<const std::vector<StepRow>>> steps;  // by path
  std::vector<std::string> cuts;  // by path: how its root is cut, as session/references/cuts.h has it
  bool isExhausted = true;
  bool isReachable = true;
  bool isFreed = false;    // with what is cut there would be none
  bool isWithout = false;  // they are what would be left with what is cut
};

/// The ways that keep one object alive: its roots by name, and the steps of the one that is picked.
class ObjectPathsPanel : public QWidget {
  Q_OBJECT

 public:
  ObjectPathsPanel(EngineBridge& bridge, Navigator& navigator, QWidget* parent = nullptr);

  void clear();
  void show(const ObjectPathsAnswer& answer);

 private:
  void showSteps(std::uint32_t path);
  void connectMenus();
  void offerCut(QMenu& menu, const std::string& cut);
  /// How the reference that leads to a step is cut; empty where steps before it are left out.
  std::string cutBefore(std::uint32_t step) const;

  Navigator& m_navigator;
  ObjectPathsAnswer m_answer;
  std::uint32_t m_path = 0;  // whose steps are shown
  RowsPanel* m_paths;
  RowsPanel* m_steps;
  QLabel* m_expression;
};

/// On the engine thread.
/// `whatIf`: what is cut, of the same snapshot; may be null.
engine::Outcome<ObjectPathsAnswer> askPaths(const engine::Snapshot& snapshot, engine::Address object,
                                            const engine::WhatIf* whatIf, engine::ProgressSink* progress,
                                            std::stop_token stop);

}  // namespace heapscape::gui
