// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <stop_token>

namespace heapscape::cli {

/// SIGINT asks what runs now to stop; a second one, before anything else has begun, ends the process.
class Interrupts {
 public:
  /// From now on. To be made before any thread is started, since threads inherit what is blocked, and once.
  Interrupts();

  /// Of what runs now.
  std::stop_token token() const;
  /// Asks what runs now to stop, as a signal does.
  void interrupt();
  /// For what runs next, which earlier signals do not stop; but SIGTERM is about all that is to come.
  std::stop_token next();

 private:
  struct State;
  std::shared_ptr<State> m_state;
};

}  // namespace heapscape::cli
