// SPDX-License-Identifier: MIT
#include "capture/capture_condition.h"

#include <fmt/format.h>

#include <algorithm>
#include <condition_variable>
#include <mutex>

#include "base/figures.h"
#include "capture/heap_counter.h"

namespace heapscape::engine {
namespace {

constexpr std::chrono::milliseconds kTimeToCount{5000};
constexpr int kMostFailures = 5;  // in a row: a runtime amid a collection may be late

Outcome<std::uint64_t> sizeNow(ProcessSize size, const ProcessPlaces& places, const DotnetProcess& process,
                               const std::stop_token& stop) {
  if (!isStillThere(places, process)) {
    return tl::unexpected(Unfinished(
        Error{ErrorCode::NotFound, fmt::format("Process {} ended before its size was reached.", process.pid)}));
  }
  if (size == ProcessSize::Heap) return askHeapBytes(process.socket, process.pid, Patience::of(kTimeToCount, stop));
  return residentBytesOf(places, process).value_or(0);
}

void sleepFor(std::chrono::milliseconds time, const std::stop_token& stop) {
  std::mutex mutex;
  std::condition_variable_any never;
  std::unique_lock lock(mutex);
  never.wait_for(lock, stop, time, [] { return false; });
}

}  // namespace

Outcome<std::uint64_t> waitFor(const CaptureCondition& condition, const ProcessPlaces& places,
                               const DotnetProcess& process, ProgressSink* progress, std::stop_token stop) {
  int failures = 0;
  for (;;) {
    const auto size = sizeNow(condition.size, places, process, stop);
    if (stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
    if (!size && (!isStillThere(places, process) || ++failures >= kMostFailures)) return size;
    if (size && *size > condition.aboveBytes) return size;
    if (size) {
      failures = 0;
      const double share =
          static_cast<double>(*size) / static_cast<double>(std::max<std::uint64_t>(condition.aboveBytes, 1));
      if (progress) {
        progress->progressed({fmt::format("waiting: {} is {} of {}", toString(condition.size), sizeText(*size),
                                          sizeText(condition.aboveBytes)),
                              std::min(share, 1.0)});
      }
    }
    sleepFor(kConditionInterval, stop);
  }
}

}  // namespace heapscape::engine
