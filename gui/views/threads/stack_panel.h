// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>
#include <memory>
#include <optional>

#include "bridge/engine_bridge.h"
#include "bridge/navigator.h"
#include "session/snapshot/snapshot.h"
#include "session/stacks/stacks_query.h"
#include "session/threads/threads_query.h"

class QMenu;
class QLineEdit;
class QStackedLayout;
class QTimer;
class QToolButton;
class QTreeView;

namespace heapscape::gui {

/// Entries that think away what a thread holds: its whole stack, and all of it with its statics. None before the stage
/// Retained, and for a thread that holds nothing. `thread`: the address of the runtime's Thread.
void addThreadCuts(QMenu& menu, Navigator& navigator, const engine::Snapshot& snapshot, engine::Address thread);

class ElidedText;
class GroupChoice;
class StackModel;
class StatePanel;

/// The stack of one thread with its locals, asked for when the thread is picked.
class StackPanel : public QWidget {
  Q_OBJECT

 public:
  StackPanel(EngineBridge& bridge, Navigator& navigator, QWidget* parent = nullptr);

  /// Shows a thread; what was shown of another one is gone at once.
  void showThread(const engine::ThreadRow& thread);
  /// Threads are still to come.
  void showWaiting(const QString& text);
  /// No thread is picked, or no dump is open.
  void clear(bool hasDump);

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void setUpTree();
  void addParts();
  QToolButton* makeSwitch(const QString& name, const QString& text, const QString& tip);
  void connectParts();
  void ask();
  /// The locals as the choice has them.
  void regroup();
  /// Adds links to its code, its stack, its slot or its register's target.
  void addMemoryLinks(QMenu& menu, const QModelIndex& index);
  void addSetOf(QMenu& menu, const QModelIndex& group);
  void take(const engine::Outcome<engine::StackList>& answer);
  void showStack(std::shared_ptr<const engine::ThreadStackRow> stack);
  void showHeading();
  void openMatches();
  /// The line of a gap in the stack has one cell.
  void spanGap();
  void pick(const QModelIndex& index);
  void follow(const QModelIndex& index);
  void openMenu(const QPoint& position);
  void copy() const;

  EngineBridge& m_bridge;
  Navigator& m_navigator;
  std::optional<engine::ThreadRow> m_thread;
  StackModel* m_model;
  QTreeView* m_tree;
  ElidedText* m_heading;
  ElidedText* m_problem;
  QLineEdit* m_filter;
  GroupChoice* m_group;
  QToolButton* m_onlyMyCode;
  QToolButton* m_native;
  QToolButton* m_allFrames;
  QToolButton* m_locals;
  QToolButton* m_registers;
  QToolButton* m_copy;
  QTimer* m_late;  // until it is said that the stack is being read
  StatePanel* m_state;
  QStackedLayout* m_pages;
};

}  // namespace heapscape::gui
