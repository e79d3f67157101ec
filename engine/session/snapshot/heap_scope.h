// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>

#include "heap/segment.h"

namespace heapscape::engine {

/// A part of the heap: everything that fits all members given.
struct HeapScope {
  std::optional<std::uint32_t> heap;
  std::optional<Generation> generation;
  std::uint64_t minimumBytes = 0;           // exact size of the object
  std::uint64_t maximumBytes = UINT64_MAX;  // inclusive

  bool isWhole() const { return !heap && !generation && minimumBytes == 0 && maximumBytes == UINT64_MAX; }
  bool operator==(const HeapScope&) const = default;
};

}  // namespace heapscape::engine
