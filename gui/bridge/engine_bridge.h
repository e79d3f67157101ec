// SPDX-License-Identifier: MIT
#pragma once

#include <QObject>
#include <QPointer>
#include <QString>
#include <any>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>

#include "base/progress.h"
#include "base/result.h"
#include "session/snapshot.h"

namespace heapscape::gui {

/// The window's only way to the engine. Opening and every query run on one engine thread; answers come back on the GUI
/// thread, and those of a dump that is no longer open are dropped.
class EngineBridge : public QObject {
  Q_OBJECT

 public:
  explicit EngineBridge(QObject* parent = nullptr);
  ~EngineBridge() override;  // stops what runs and waits for it

  /// Replaces the open dump; the old one's memory is released once nobody shows it any more.
  void open(const QString& path);
  /// Stops opening; openCancelled() follows within 100 ms. What earlier stages have found is dropped.
  void cancel();
  void close();

  bool isOpening() const;
  QString path() const;
  /// The newest stage of the open dump.
  const std::optional<engine::Snapshot>& snapshot() const { return m_snapshot; }

  /// Runs `query(const engine::Snapshot&, std::stop_token)` on the engine thread and hands what it returns to `done` on the
  /// GUI thread. A newer question of the same receiver on the same channel stops and replaces the older one. Nothing is
  /// called if no dump is open, if another dump is opened meanwhile, or if the receiver is gone.
  template <class Query, class Done>
  void ask(QObject* receiver, const char* channel, Query query, Done done) {
    using Answer = std::invoke_result_t<Query, const engine::Snapshot&, std::stop_token>;
    auto answer = std::make_shared<std::optional<Answer>>();
    askErased(
        receiver, channel,
        [answer, query = std::move(query)](const engine::Snapshot& snapshot, std::stop_token stop) {
          answer->emplace(query(snapshot, stop));
        },
        [answer, done = std::move(done)]() { done(std::move(**answer)); });
  }

 Q_SIGNALS:
  void openStarted(const QString& path);
  void progressed(const heapscape::engine::Progress& progress);
  /// Summary, Segments, Objects, Layouts, in this order.
  void stageReady(const heapscape::engine::Snapshot& snapshot);
  void openFinished();
  void openFailed(const heapscape::engine::Error& error);
  void openCancelled();
  void closed();

 private:
  using Work = std::function<void(const engine::Snapshot&, std::stop_token)>;
  void askErased(QObject* receiver, const char* channel, Work work, std::function<void()> deliver);

  class Worker;
  std::unique_ptr<Worker> m_worker;
  std::optional<engine::Snapshot> m_snapshot;
};

}  // namespace heapscape::gui
