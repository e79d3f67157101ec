// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "session/locks_query.h"
#include "session/threads_query.h"
#include "views/place.h"

class QSplitter;
class QTabWidget;

namespace heapscape::gui {

class RowsPanel;
class WaitsPanel;

/// The runtime's threads, the locks that they hold, and who waits for whom.
class ThreadsPlace : public Place {
  Q_OBJECT

 public:
  ThreadsPlace(EngineBridge& bridge, Navigator& navigator, QWidget* parent = nullptr);

  PlaceId id() const override { return PlaceId::Threads; }
  QString title() const override { return tr("Threads"); }
  void showSnapshot(const engine::Snapshot& snapshot) override;
  void clear() override;
  void follow(const Location& location) override;

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  /// Both are asked for together, so that they tell of the same moment and the picture can be made of them.
  struct Answer {
    std::shared_ptr<const engine::ThreadList> threads;
    std::shared_ptr<const engine::LockList> locks;
  };

  void addParts();
  void load();
  void showAnswer(const Answer& answer);
  void showFailure(const engine::Error& error);

  RowsPanel* m_threads;
  RowsPanel* m_locks;
  WaitsPanel* m_waits;
  QTabWidget* m_tabs;
  QSplitter* m_splitter;
  engine::Address m_listed;
  bool m_hasObjects = false;
  bool m_isAsked = false;
};

}  // namespace heapscape::gui
