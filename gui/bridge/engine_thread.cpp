// SPDX-License-Identifier: MIT
#include "bridge/engine_thread.h"

#include <QCoreApplication>
#include <QEvent>
#include <QPointer>
#include <utility>

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

void Mailbox::post(Call call) {
  {
    const std::scoped_lock lock(m_mutex);
    m_calls.push_back(std::move(call));
  }
  QCoreApplication::postEvent(this, new QEvent(QEvent::User));
}

// One call for one event, so that what people do comes in between.
void Mailbox::customEvent(QEvent*) {
  Call call;
  {
    const std::scoped_lock lock(m_mutex);
    call = std::move(m_calls.front());
    m_calls.pop_front();
  }
  call();
}

namespace {

/// Goes with the application.
class Releaser : public Mailbox {
 public:
  static Releaser& instance() {
    static QPointer<Releaser> releaser;
    if (!releaser) (releaser = new Releaser)->setParent(QCoreApplication::instance());
    return *releaser;
  }

  // Behind this event, when nobody on this thread holds it any more.
  void release(std::shared_ptr<const void> held) {
    post([this, held = std::move(held)]() mutable { m_thread.post([held = std::move(held)] {}); });
  }

 private:
  EngineThread m_thread;
};

}  // namespace

void releaseLater(std::shared_ptr<const void> held) {
  if (held) Releaser::instance().release(std::move(held));
}

}  // namespace heapscape::gui
