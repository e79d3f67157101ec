// SPDX-License-Identifier: MIT
#include "bridge/live_programs.h"

#include <exception>
#include <memory>
#include <utility>

#include "bridge/engine_thread.h"

namespace heapscape::gui {

/// Brings the progress of a capture to the GUI thread.
class LivePrograms::Sink : public engine::ProgressSink {
 public:
  Sink(LivePrograms& programs, std::uint64_t number) : m_programs(programs), m_number(number) {}
  void progressed(const engine::Progress& progress) override {
    m_programs.m_mailbox->post([&programs = m_programs, number = m_number, progress] {
      programs.deliver(number, [&programs, progress] { Q_EMIT programs.progressed(progress); });
    });
  }

 private:
  LivePrograms& m_programs;
  std::uint64_t m_number;
};

LivePrograms::LivePrograms(QObject* parent)
    : QObject(parent), m_mailbox(std::make_unique<Mailbox>()), m_thread(std::make_unique<EngineThread>()) {}

LivePrograms::~LivePrograms() {
  m_stop.request_stop();
}

void LivePrograms::list() {
  begin([this](const std::stop_token& stop) {
    return telling(engine::listRunningPrograms(engine::ProcessPlaces::ofThisProcess(), {}, stop),
                   &LivePrograms::listed);
  });
}

void LivePrograms::capture(const engine::CaptureRequest& request) {
  begin([this, request, number = m_number + 1](const std::stop_token& stop) {
    Sink sink(*this, number);
    return telling(engine::captureDump(request, &sink, stop), &LivePrograms::captured);
  });
}

void LivePrograms::stop() {
  m_stop.request_stop();
  ++m_number;
}

void LivePrograms::begin(Work work) {
  stop();
  m_stop = std::stop_source();
  m_thread->post([this, work = std::move(work), number = m_number, stop = m_stop.get_token()] {
    std::function<void()> tell;
    try {
      tell = work(stop);
    } catch (const std::exception& error) {
      const std::string what = error.what();
      tell = [this, what] {
        Q_EMIT failed({engine::ErrorCode::FileUnreadable, "Something unforeseen went wrong: " + what + "."});
      };
    }
    m_mailbox->post([this, number, tell = std::move(tell)] { deliver(number, tell); });
  });
}

void LivePrograms::deliver(std::uint64_t number, std::function<void()> call) {
  if (number == m_number && call) call();
}

template <class Answer>
std::function<void()> LivePrograms::telling(engine::Outcome<Answer> outcome,
                                            void (LivePrograms::*tell)(const Answer&)) {
  auto shared = std::make_shared<engine::Outcome<Answer>>(std::move(outcome));
  return [this, shared, tell] {
    if (*shared) {
      (this->*tell)(**shared);
    } else if (!shared->error().isCancelled()) {
      Q_EMIT failed(shared->error().error());
    }
  };
}

}  // namespace heapscape::gui
