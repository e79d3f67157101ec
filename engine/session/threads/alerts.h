// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

#include "base/result.h"
#include "session/snapshot/snapshot.h"

namespace heapscape::engine {

/// What somebody who opens a dump should hear of before all else, beside whether the process died and what is missing.
struct Alerts {
  std::vector<std::vector<std::uint32_t>> deadlocks;  // managed ids of threads, see BlockedThreads
  std::uint64_t readyFinalizers = 0;                  // objects whose finalizer is due and did not run yet
  bool isWithoutContents = false;                     // the dump is a redacted copy
  std::string redactedOn;                             // "2026-11-30"; empty where the copy does not say
};

/// Needs the stage Objects.
Outcome<Alerts> findAlerts(const Snapshot& snapshot, std::stop_token stop);

}  // namespace heapscape::engine
