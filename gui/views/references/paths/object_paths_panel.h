// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>
#include <memory>
#include <vector>

#include "bridge/engine_bridge.h"
#include "bridge/navigator.h"
#include "views/references/paths/path_rows.h"

class QLabel;

namespace heapscape::gui {

class RowsPanel;

/// The ways that keep one object alive: its roots by name, and the steps of the one that is picked.
class ObjectPathsPanel : public QWidget {
  Q_OBJECT

 public:
  ObjectPathsPanel(EngineBridge& bridge, Navigator& navigator, QWidget* parent = nullptr);

  void clear();
  /// Made by askPaths().
  struct Answer {
    std::shared_ptr<const std::vector<PathRow>> paths;
    std::vector<std::shared_ptr<const std::vector<StepRow>>> steps;  // by path
    bool isExhausted = true;
    bool isReachable = true;
  };
  void show(const Answer& answer);

 private:
  void showSteps(std::uint32_t path);

  Answer m_answer;
  RowsPanel* m_paths;
  RowsPanel* m_steps;
  QLabel* m_expression;
};

/// On the engine thread.
engine::Outcome<ObjectPathsPanel::Answer> askPaths(const engine::Snapshot& snapshot, engine::Address object,
                                                   engine::ProgressSink* progress, std::stop_token stop);

}  // namespace heapscape::gui
