// SPDX-License-Identifier: MIT
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
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

}  // namespace heapscape::gui
