// SPDX-License-Identifier: MIT
#include "session/open/memory_need.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/figures.h"
#include "session/open/free_memory.h"

namespace heapscape::engine {
namespace {

// Nobody needs to be asked about less.
constexpr std::uint64_t kSmallNeedBytes = 64 << 20;

// "1.0 billion", for a sentence about how much there is.
std::string roundedCount(std::uint64_t count) {
  constexpr double kMillion = 1e6, kBillion = 1e9;
  const auto number = static_cast<double>(count);
  if (number >= kBillion) return fmt::format("{:.1f} billion", number / kBillion);
  if (number >= kMillion) return fmt::format("{:.{}f} million", number / kMillion, number < 1e7 ? 1 : 0);
  return readableCount(count);
}

}  // namespace

MemoryNeed operator+(MemoryNeed one, const MemoryNeed& other) {
  one.objects += other.objects;
  one.bytes += other.bytes;
  one.takenBytes += std::min(other.takenBytes, other.bytes);
  return one;
}

Result<void> checkMemory(const MemoryNeed& need, std::optional<std::uint64_t> allowedBytes) {
  const auto refused = [&](std::uint64_t bytes, const char* more, std::uint64_t there, const char* are) {
    return failure(ErrorCode::NotEnoughMemory,
                   fmt::format("{} of {} objects need about {}{} of memory, and {} {}.", need.of,
                               roundedCount(need.objects), sizeText(bytes), more, sizeText(there), are),
                   need.help);
  };
  if (allowedBytes) {
    if (need.bytes > *allowedBytes) return refused(need.bytes, "", *allowedBytes, "is what they may take");
    return {};
  }
  const std::uint64_t more = need.bytes - std::min(need.bytes, need.takenBytes);
  const auto free = more < kSmallNeedBytes ? std::nullopt : freeMemoryBytes();
  if (free && more > *free) return refused(more, need.takenBytes ? " more" : "", *free, "are free");
  return {};
}

}  // namespace heapscape::engine
