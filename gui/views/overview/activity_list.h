// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>
#include <vector>

#include "bridge/engine_bridge.h"
#include "bridge/navigator.h"
#include "session/stacks/parallel_stacks.h"

class QVBoxLayout;

namespace heapscape::gui {

/// The list of what the threads were doing, a line for each group of those that did the same; a line leads to its
/// threads.
class ActivityList : public QWidget {
  Q_OBJECT

 public:
  ActivityList(EngineBridge& bridge, Navigator& navigator, QWidget* parent = nullptr);

  /// Asks once the objects are there.
  void showSnapshot(const engine::Snapshot& snapshot);
  void clear();
  const std::vector<engine::ActivityGroup>& groups() const { return m_groups; }

 private:
  void show(std::vector<engine::ActivityGroup> groups);
  void say(const QString& text);
  void removeLines();

  EngineBridge& m_bridge;
  Navigator& m_navigator;
  std::vector<engine::ActivityGroup> m_groups;
  QVBoxLayout* m_lines;
};

}  // namespace heapscape::gui
