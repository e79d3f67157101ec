// SPDX-License-Identifier: MIT
#pragma once

#include "insight/detectors/detector.h"

namespace heapscape::engine {

/// Finds timers that still tick and that nobody could stop any more: only the runtime's own list of timers, and what
/// the timers' callbacks hold, leads to them. One insight for each callback method. The bytes are what would be freed
/// if these timers left that list. Of timers that the program still holds many are worth a look; there the bytes are
/// what they hold alone, their Timer objects included.
class TimerLeaks : public Detector {
 public:
  std::vector<InsightKind> kinds() const override { return {InsightKind::TimerLeak}; }
  Outcome<void> find(const InsightInput& input, FoundInsights& found, FindingList& findings, StageProgress& progress,
                     std::stop_token stop) const override;

  static constexpr std::size_t kManyTimers = 10;         // with one callback; fewer are held rather than leaked
  static constexpr std::size_t kManyInUse = 100;         // that could be stopped
  static constexpr std::size_t kManyOfFramework = 1000;  // with a callback of .NET itself, as time-outs have it
};

}  // namespace heapscape::engine
