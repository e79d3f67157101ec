// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace heapscape::test {

/// What one run of a program left behind.
struct LimitedRun {
  int status = -1;  // of the exit; -1 if a signal ended it
  int signal = 0;   // that ended it
  bool isTooSlow = false;
  double seconds = 0;           // of processor time, of all its threads
  std::uint64_t peakBytes = 0;  // of resident memory
  std::string output;
  std::string errors;
};

/// Runs a program, and ends it by force if it works for longer, or waits for much longer. What else the machine does
/// does not count.
LimitedRun runLimited(const std::vector<std::string>& words, std::chrono::seconds longest);

}  // namespace heapscape::test
