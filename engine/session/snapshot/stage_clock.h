// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "session/snapshot/snapshot.h"

namespace heapscape::engine {

/// Measures one stage and notes it when it ends; a stage done again keeps its newest time.
class StageClock {
 public:
  StageClock(std::vector<StageTiming>& timings, std::string stage) : m_timings(timings), m_stage(std::move(stage)) {}
  ~StageClock() {
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - m_start;
    for (StageTiming& timing : m_timings) {
      if (timing.stage != m_stage) continue;
      timing.seconds = elapsed.count();
      return;
    }
    m_timings.push_back({m_stage, elapsed.count()});
  }
  StageClock(const StageClock&) = delete;
  StageClock& operator=(const StageClock&) = delete;

 private:
  std::vector<StageTiming>& m_timings;
  std::string m_stage;
  std::chrono::steady_clock::time_point m_start = std::chrono::steady_clock::now();
};

}  // namespace heapscape::engine
