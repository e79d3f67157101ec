// SPDX-License-Identifier: MIT
#include "cli/interrupts.h"

#include <pthread.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <ctime>
#include <mutex>
#include <thread>

#include "cli/context.h"

namespace heapscape::cli {
namespace {

constexpr std::chrono::milliseconds kSameSignal{300};

}  // namespace

struct Interrupts::State {
  std::mutex mutex;
  std::stop_source source;
  bool isEnding = false;  // SIGTERM is about all that is to come, too
};

Interrupts::Interrupts() : m_state(std::make_shared<State>()) {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  // A signal handler may not request a stop, a thread that waits for the signal may.
  std::thread([signals, state = m_state] {
    int signal = 0;
    while (sigwait(&signals, &signal) == 0) {
      std::stop_source source;
      {
        const std::lock_guard lock(state->mutex);
        source = state->source;
        state->isEnding = state->isEnding || signal == SIGTERM;
      }
      if (!source.request_stop()) _exit(kInterrupted);
      // timeout(1) sends it to the program and to its group, which is no second one.
      std::this_thread::sleep_for(kSameSignal);
      sigset_t same;
      sigemptyset(&same);
      sigaddset(&same, signal);
      const timespec now{};
      while (sigtimedwait(&same, nullptr, &now) > 0) {
      }
    }
  }).detach();
}

Interrupts Interrupts::withoutSignals() {
  return Interrupts(std::make_shared<State>());
}

std::stop_token Interrupts::token() const {
  const std::lock_guard lock(m_state->mutex);
  return m_state->source.get_token();
}

void Interrupts::interrupt() {
  std::stop_source source = [this] {
    const std::lock_guard lock(m_state->mutex);
    return m_state->source;
  }();
  source.request_stop();
}

std::stop_token Interrupts::next() {
  const std::lock_guard lock(m_state->mutex);
  if (m_state->source.stop_requested() && !m_state->isEnding) m_state->source = std::stop_source();
  return m_state->source.get_token();
}

}  // namespace heapscape::cli
