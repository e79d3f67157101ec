// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>
#include <vector>

#include "bridge/engine_bridge.h"
#include "bridge/navigator.h"
#include "session/stacks/stacks_query.h"

class QVBoxLayout;

namespace heapscape::gui {

/// A line of those who have an object on their stack.
struct StackHolderLine {
  QString text;  // "Program.Main, thread 1"
  QString tip;   // what of each
  engine::Address thread;
  bool isExact = true;
};
/// A line for each frame, also where several of its variables or words refer to the object.
std::vector<StackHolderLine> stackHolderLines(const std::vector<engine::StackHolder>& holders);

/// On which stacks the picked object is: a line a frame, which leads to its thread. Hidden where it is on none.
class StackHoldersPart : public QWidget {
 public:
  StackHoldersPart(EngineBridge& bridge, Navigator& navigator, QWidget* parent = nullptr);

  /// 0 for none. What is shown of another object is gone at once.
  void showObject(engine::Address object);

 private:
  void show(const std::vector<engine::StackHolder>& holders);
  void addLine(const StackHolderLine& line);
  void removeLines();

  EngineBridge& m_bridge;
  Navigator& m_navigator;
  engine::Address m_object;
  QVBoxLayout* m_lines;
};

}  // namespace heapscape::gui
