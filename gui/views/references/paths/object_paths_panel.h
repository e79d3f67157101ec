// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>
#include <memory>
#include <string>
#include <vector>

#include "bridge/engine_bridge.h"
#include "bridge/navigator.h"
#include "session/references/what_if.h"
#include "views/references/paths/path_rows.h"

class QLabel;
class QMenu;

namespace heapscape::gui {

class RowsPanel;

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
