// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstdint>
#include <thread>

namespace heapscape::cli {

/// Samples how much anonymous memory of this process is resident: what we allocate, without the mapped dump. The kernel
/// keeps no peak of that.
class PeakMemory {
 public:
  /// Begins to sample in a thread of its own.
  void watch();
  /// The largest sample; ends the sampling.
  std::uint64_t stop();

 private:
  void sample();

  std::atomic<std::uint64_t> m_peakBytes = 0;
  std::jthread m_thread;
};

}  // namespace heapscape::cli
