// SPDX-License-Identifier: MIT
#include "bridge/engine_thread.h"

namespace heapscape::gui {

EngineThread::EngineThread() : m_thread([this](const std::stop_token& stop) { run(stop); }) {}

EngineThread::~EngineThread() {
  m_thread.request_stop();
  m_thread.join();
}

void EngineThread::post(Job job) {
  {
    const std::scoped_lock lock(m_mutex);
    m_jobs.push_back(std::move(job));
  }
  m_wake.notify_one();
}

void EngineThread::run(const std::stop_token& stop) {
  while (true) {
    Job job;
    {
      std::unique_lock lock(m_mutex);
      if (!m_wake.wait(lock, stop, [this] { return !m_jobs.empty(); }) || stop.stop_requested()) return;
      job = std::move(m_jobs.front());
      m_jobs.pop_front();
    }
    job();
  }
}

}  // namespace heapscape::gui
