// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/finding.h"
#include "runtime/clr_runtime.h"

namespace heapscape::engine {

/// One message of the stress log.
struct StressMessage {
  std::uint64_t thread = 0;     // id of the operating system
  std::uint64_t timeStamp = 0;  // in ticks of StressLog::ticksPerSecond
  std::uint32_t facility = 0;   // a bit for each part of the runtime (src/coreclr/inc/loglf.h)
  Address format;               // of its text, with places for the arguments as printf has them
  std::vector<std::uint64_t> arguments = {};
  bool isLast = false;  // the oldest that its thread has kept
};

/// What the runtime notes of itself in memory where DOTNET_StressLog is set (src/coreclr/inc/stresslog.h).
struct StressLog {
  Address address;
  std::uint32_t facilities = 0;
  std::uint32_t level = 0;
  std::uint32_t mostBytesOfThread = 0;
  std::uint32_t mostBytes = 0;
  std::uint32_t chunks = 0;
  std::uint64_t ticksPerSecond = 0;
  std::uint64_t startTimeStamp = 0;
  std::uint64_t startTime = 0;  // in 100 ns since 1601, UTC
  std::uint64_t threads = 0;
  std::vector<StressMessage> messages = {};  // newest first
  FindingList findings = {};

  /// Seconds from the start of the log to a message.
  double secondsAt(std::uint64_t timeStamp) const {
    const double ticks = static_cast<double>(timeStamp) - static_cast<double>(startTimeStamp);
    return ticksPerSecond == 0 ? 0 : ticks / static_cast<double>(ticksPerSecond);
  }
};

/// Where the log is. Fails with NotInDump.
Result<Address> stressLogOf(const ClrRuntime& runtime);

/// Reads the log at an address. Fails with NotFound where it was not switched on. Damage in it is a finding.
Outcome<StressLog> readStressLog(const ClrRuntime& runtime, Address log, std::stop_token stop);

/// A message's text with its arguments put in. `nameOf` names what `%pM` (a MethodDesc), `%pT` (a MethodTable), `%pV`
/// (a table of virtual methods of native code) and `%pK` (an address of code) have beside their number.
std::string textOf(const ClrRuntime& runtime, const StressMessage& message,
                   const std::function<std::string(char kind, Address address)>& nameOf);

}  // namespace heapscape::engine
