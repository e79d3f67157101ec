// SPDX-License-Identifier: MIT
#pragma once

#include <QObject>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <stop_token>
#include <thread>

namespace heapscape::gui {

/// One thread that does jobs in the order they were posted. A job must not throw.
class EngineThread {
 public:
  using Job = std::function<void()>;

  EngineThread();
  /// Drops what has not begun and waits for the job that has: stop that one first.
  ~EngineThread();

  void post(Job job);

 private:
  void run(const std::stop_token& stop);

  std::mutex m_mutex;
  std::condition_variable_any m_wake;
  std::deque<Job> m_jobs;
  std::jthread m_thread;  // last, so that everything it uses is there before it and goes after it
};

/// Carries calls from any thread to the one that the mailbox was made on, in the order in which they were posted. What
/// has not been called when it goes is dropped.
class Mailbox : public QObject {
 public:
  using Call = std::function<void()>;

  /// Called on any thread, for as long as the mailbox is there.
  void post(Call call);

 protected:
  void customEvent(QEvent* event) override;

 private:
  std::mutex m_mutex;  // of its own, since what Qt locks for its events the thread sanitizer does not see
  std::deque<Call> m_calls;
};

/// Frees later what is large and shown no more: giving back the memory of millions of rows takes longer than a frame,
/// so a thread of its own does. Whoever else holds it on the GUI thread lets go within the same event.
void releaseLater(std::shared_ptr<const void> held);

}  // namespace heapscape::gui
