// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <stop_token>

#include "base/enum_names.h"
#include "base/progress.h"
#include "base/result.h"
#include "capture/processes.h"

namespace heapscape::engine {

enum class ProcessSize : std::uint8_t {
  Resident,  // what the process has in memory (VmRSS)
  Heap,      // its managed heap, as gc-heap-size counts it
};

template <>
inline constexpr auto kEnumNames<ProcessSize> = std::to_array<EnumName<ProcessSize>>({{ProcessSize::Resident, "rss"},
                                                                                      {ProcessSize::Heap, "heap"}});

/// When a dump is to be taken: once a size of the process is above so many bytes.
struct CaptureCondition {
  ProcessSize size = ProcessSize::Resident;
  std::uint64_t aboveBytes = 0;
};

/// How often it is looked at, the second in which the heap is counted not included.
inline constexpr std::chrono::milliseconds kConditionInterval{500};

/// Waits until that is so and gives the size. Fails with NotFound if the process ends before, or with what forbids
/// asking its runtime, after several attempts.
Outcome<std::uint64_t> waitFor(const CaptureCondition& condition, const ProcessPlaces& places,
                               const DotnetProcess& process, ProgressSink* progress, std::stop_token stop);

}  // namespace heapscape::engine
