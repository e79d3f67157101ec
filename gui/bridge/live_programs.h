// SPDX-License-Identifier: MIT
#pragma once

#include <QObject>
#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "capture/dump_capture.h"
#include "capture/running_programs.h"

namespace heapscape::gui {

class EngineThread;
class Mailbox;

/// Asks running .NET processes, and has them write dumps, on a thread of its own: a process may take long to answer.
/// One thing at a time; what is begun anew stops and replaces what runs. Answers come on the GUI thread.
class LivePrograms : public QObject {
  Q_OBJECT

 public:
  explicit LivePrograms(QObject* parent = nullptr);
  ~LivePrograms() override;  // stops what runs and waits for it

  void list();
  void capture(const engine::CaptureRequest& request);
  /// Nothing is heard any more of what runs; a dump that is being written is given up.
  void stop();

 Q_SIGNALS:
  void listed(const std::vector<heapscape::engine::RunningProgram>& programs);
  void progressed(const heapscape::engine::Progress& progress);
  void captured(const heapscape::engine::CapturedDump& dump);
  void failed(const heapscape::engine::Error& error);

 private:
  class Sink;
  /// What is to be called on the GUI thread with the answer.
  using Work = std::function<std::function<void()>(const std::stop_token& stop)>;
  void begin(Work work);
  void deliver(std::uint64_t number, std::function<void()> call);
  template <class Answer>
  std::function<void()> telling(engine::Outcome<Answer> outcome, void (LivePrograms::*tell)(const Answer&));

  std::uint64_t m_number = 0;  // of what was begun last
  std::stop_source m_stop;
  std::unique_ptr<Mailbox> m_mailbox;
  std::unique_ptr<EngineThread> m_thread;  // goes first
};

}  // namespace heapscape::gui
