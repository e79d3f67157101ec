// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <stop_token>
#include <vector>

#include "base/result.h"
#include "session/types/type_query.h"

namespace heapscape::engine {

/// Objects whose exact size lies in [minimumBytes, maximumBytes], free ones left out.
struct SizeBucket {
  std::uint64_t minimumBytes = 0;
  std::uint64_t maximumBytes = 0;
  std::array<std::uint64_t, kGenerationCount> objects{};
  std::array<std::uint64_t, kGenerationCount> bytes{};
  // Of these, what no root leads to; none before that is known.
  std::array<std::uint64_t, kGenerationCount> garbageObjects{};
  std::array<std::uint64_t, kGenerationCount> garbageBytes{};
};

/// Objects by size, a bucket per power of two from 24 bytes up (24–31, 32–63, …); no empty ones at the end.
Outcome<std::vector<SizeBucket>> sizeHistogram(const Snapshot& snapshot, const HeapScope& scope, std::stop_token stop);

}  // namespace heapscape::engine
