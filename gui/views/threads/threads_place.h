// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "bridge/navigator.h"
#include "session/stacks/stacks_query.h"
#include "session/threads/locks_query.h"
#include "session/threads/threads_query.h"
#include "views/place.h"
#include "views/threads/thread_rows.h"

class QMenu;
class QTabWidget;

namespace heapscape::gui {

class AsyncPanel;
class ParallelPanel;
class RowsPanel;
class StackPanel;
class ThreadsChip;
class WaitsPanel;

/// The runtime's threads with their stacks, calls of async methods, locks, and who waits for whom.
class ThreadsPlace : public Place {
  Q_OBJECT

 public:
  ThreadsPlace(EngineBridge& bridge, Navigator& navigator, QWidget* parent = nullptr);

  PlaceId id() const override { return PlaceId::Threads; }
  QString title() const override { return u"Threads"_s; }
  void showSnapshot(const engine::Snapshot& snapshot) override;
  void clear() override;
  void follow(const Location& location) override;

 protected:
  void showEvent(QShowEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  /// Both are asked for together, so that they tell of the same moment and the picture can be made of them.
  struct Answer {
    std::shared_ptr<const engine::ThreadList> threads;
    std::shared_ptr<const engine::LockList> locks;
  };

  /// A list that is read when its tab is first looked at, and again once retained sizes have come.
  struct ListTab {
    RowsPanel* panel;
    QString title;
    bool needsHeap;
    bool isOld;
  };

  void addParts();
  void addLists();
  /// Managed ids of the threads that a row of a list is about.
  using ThreadsOfRow = const std::vector<std::uint32_t>& (*)(const RowList& rows, std::uint32_t row);
  void addList(RowsPanel* panel, const QString& title, bool needsHeap, ThreadsOfRow threadsOf);
  /// The one that can be seen, if it is one of those.
  void loadList();
  /// Offers to show these managed ids.
  void offerThreads(QMenu& menu, const std::vector<std::uint32_t>& threads);
  void connectParts();
  /// Chains of async methods are of no thread: where the window is low they have the room of the threads.
  void fitParts();
  void load();
  void loadStacks();
  /// Loads wait chains, once threads, locks and stacks are there.
  void loadWaits();
  void showAnswer(const Answer& answer);
  /// With what their owners do, once stacks are there.
  void showLocks();
  void showWaits();
  void showFailure(const engine::Error& error);
  /// The rows of the list: all threads, or those that the chip names.
  void showThreads();
  void showStackOf(std::uint32_t row);
  void limitTo(const QString& what, const std::vector<engine::Address>& threads);
  void showAllThreads();
  void pickThread(engine::Address thread);
  /// The list of threads can be seen.
  void bringThreads();
  /// The threads that do what the location asks for, once it is known what they do.
  void showWantedActivity();

  RowsPanel* m_threads;
  ThreadsChip* m_chip;
  QWidget* m_upper;  // both of these
  StackPanel* m_stack;
  ParallelPanel* m_parallel;
  AsyncPanel* m_async;
  RowsPanel* m_locks;
  WaitsPanel* m_waits;
  QTabWidget* m_tabs;
  std::vector<ListTab> m_lists;
  std::shared_ptr<const engine::ThreadList> m_list;      // null until it is there
  std::shared_ptr<const engine::LockList> m_lockList;    // the same
  std::shared_ptr<const engine::StackList> m_stacks;     // of all threads; the same
  std::shared_ptr<const ThreadActivities> m_activities;  // the same
  std::optional<engine::BlockedThreads> m_blocked;       // nothing until it is there
  Listed m_listed;
  std::optional<ActivityKey> m_wantedActivity;
  engine::Address m_picked;  // the thread whose stack is shown
  bool m_canAsk = false;     // the objects are there, or the dump has none
  bool m_isAsked = false;
  bool m_areStacksAsked = false;
};

}  // namespace heapscape::gui
