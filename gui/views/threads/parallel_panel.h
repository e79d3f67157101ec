// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>
#include <memory>
#include <vector>

#include "bridge/engine_bridge.h"
#include "session/stacks/parallel_stacks.h"

class QLabel;
class QScrollArea;
class QStackedLayout;
class QToolButton;

namespace heapscape::gui {

class StackIcicle;
class StatePanel;
struct StackShape;

/// Shapes of stacks laid over each other, for the icicle.
std::vector<StackShape> stackShapes(const engine::StackList& stacks, const engine::ParallelStacks& parallel);

/// The stacks of all threads laid over each other.
class ParallelPanel : public QWidget {
  Q_OBJECT

 public:
  using Stacks = std::shared_ptr<const engine::StackList>;

  explicit ParallelPanel(EngineBridge& bridge, QWidget* parent = nullptr);

  void show(Stacks stacks);
  void showWaiting(const QString& text);
  void showFailure(const engine::Error& error);
  void clear();
  /// Back to all threads, without telling anybody.
  void showAll();
  /// What is in focus as a step of the history, and back to one.
  std::uint32_t zoomStep() const;
  void goToStep(std::uint32_t step);
  StackIcicle* picture() const { return m_picture; }

 Q_SIGNALS:
  /// The user wants to see the threads that pass through a frame, by their addresses; none for all of them.
  void threadsWanted(const QString& frame, const std::vector<heapscape::engine::Address>& threads);

 private:
  QWidget* buildHead();
  void lay();
  void tell(std::uint32_t shape);

  EngineBridge& m_bridge;
  Stacks m_stacks;
  std::shared_ptr<const engine::ParallelStacks> m_parallel;
  QToolButton* m_onlyMyCode;
  QLabel* m_count;
  StackIcicle* m_picture;
  QScrollArea* m_scroll;
  StatePanel* m_state;
  QStackedLayout* m_pages;
};

}  // namespace heapscape::gui
