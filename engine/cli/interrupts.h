// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <stop_token>
#include <utility>

namespace heapscape::cli {

/// SIGINT asks what runs now to stop; a second one, before anything else has begun, ends the process.
class Interrupts {
 public:
  /// From now on. To be made before any thread is started, since threads inherit what is blocked, and once.
  Interrupts();
  /// Without signals, which belong to the program that this is a part of: only interrupt() asks to stop.
  static Interrupts withoutSignals();

  /// Of what runs now.
  std::stop_token token() const;
  /// Asks what runs now to stop, as a signal does.
  void interrupt();
  /// For what runs next, which earlier signals do not stop; but SIGTERM is about all that is to come.
  std::stop_token next();

 private:
  struct State;
  explicit Interrupts(std::shared_ptr<State> state) : m_state(std::move(state)) {}
  std::shared_ptr<State> m_state;
};

}  // namespace heapscape::cli
