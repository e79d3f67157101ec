// SPDX-License-Identifier: MIT
#include "cli/peak_memory.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <stop_token>

namespace heapscape::cli {

namespace {

constexpr std::chrono::milliseconds kInterval{3};

std::uint64_t anonymousBytes() {
  std::ifstream status("/proc/self/statm");
  std::uint64_t size = 0;
  std::uint64_t resident = 0;
  std::uint64_t shared = 0;  // of files and shared memory
  status >> size >> resident >> shared;
  return resident > shared ? (resident - shared) * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE)) : 0;
}

}  // namespace

void PeakMemory::watch() {
  m_thread = std::jthread([this](const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      sample();
      std::this_thread::sleep_for(kInterval);
    }
  });
}

std::uint64_t PeakMemory::stop() {
  if (m_thread.joinable()) {
    m_thread.request_stop();
    m_thread.join();
  }
  sample();
  return m_peakBytes;
}

void PeakMemory::sample() {
  m_peakBytes = std::max(m_peakBytes.load(), anonymousBytes());
}

}  // namespace heapscape::cli
