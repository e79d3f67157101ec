// SPDX-License-Identifier: MIT
#include "cli/interrupt.h"

#include <pthread.h>
#include <unistd.h>

#include <csignal>
#include <thread>

#include "cli/exit_status.h"

namespace heapscape::cli {

std::stop_token stopOnInterrupt() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  // A signal handler may not request a stop, a thread that waits for the signal may.
  std::stop_source source;
  std::thread([signals, source]() mutable {
    int signal = 0;
    if (sigwait(&signals, &signal) == 0) source.request_stop();
    if (sigwait(&signals, &signal) == 0) _exit(kInterrupted);
  }).detach();
  return source.get_token();
}

}  // namespace heapscape::cli
