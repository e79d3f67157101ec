// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/finding.h"
#include "base/result.h"
#include "session/snapshot/snapshot.h"

namespace heapscape::engine {

/// A timer that is scheduled.
struct TimerRow {
  Address object;                                   // the runtime's TimerQueueTimer
  std::optional<std::uint32_t> periodMilliseconds;  // nothing for one that fires once
  std::uint32_t dueMilliseconds = 0;                // from when it was set, or last fired, to when it fires
  /// At most so much of that is left: as of the last time that a timer was started. Nothing if unknown.
  std::optional<std::int64_t> remainingMilliseconds;
  std::string method;     // that it calls: "Shop.Cache.Trim"; empty where that cannot be told
  Address state;          // that the method is given; 0 for null
  std::string stateType;  // empty for null
};

struct TimerList {
  std::vector<TimerRow> timers = {};  // soonest first
  std::string missing;                // why none can be listed; empty if they are
  FindingList findings;
};

/// The timers in the runtime's queues: those of Timer, Task.Delay, PeriodicTimer and time-outs. From the Objects stage
/// on.
Outcome<TimerList> listTimers(const Snapshot& snapshot, std::stop_token stop);

}  // namespace heapscape::engine
