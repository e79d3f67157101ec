// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/result.h"
#include "capture/diagnostic_message.h"
#include "capture/processes.h"

namespace heapscape::engine {

/// How long each process may take to tell about itself.
struct ListingLimits {
  std::chrono::milliseconds info{2000};
  std::chrono::milliseconds heap{3000};  // a second of it passes in any case
};

/// A process that runs .NET, with what its runtime says.
struct RunningProgram {
  DotnetProcess process;
  std::optional<DiagnosticProcessInfo> info = {};  // nullopt if it did not tell
  std::optional<std::uint64_t> heapBytes = {};     // GC.GetTotalMemory; nullopt if it did not tell
  std::vector<Error> missing = {};                 // why something is not known

  /// What people call it: its assembly, else the process's name.
  const std::string& name() const;
  /// As the runtime says, else as the kernel does.
  const std::string& command() const;
};

/// All processes that run .NET, in the order of their pids. They are asked at the same time, so that one that does not
/// answer holds up no other.
Outcome<std::vector<RunningProgram>> listRunningPrograms(const ProcessPlaces& places, const ListingLimits& limits,
                                                         std::stop_token stop);

}  // namespace heapscape::engine
