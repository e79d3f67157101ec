// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>

#include "base/address.h"

namespace heapscape::engine {

inline constexpr std::uint32_t kObjectOverheadBytes = 16;  // header and method table pointer
inline constexpr std::uint32_t kSmallestObjectBytes = 24;  // MIN_OBJECT_SIZE, src/coreclr/gc/gc.h

/// Bytes of an object whose fields take so many: rounded up to 8, and never less than the smallest.
constexpr std::uint64_t objectBytes(std::uint64_t fieldBytes) {
  return std::max<std::uint64_t>(kSmallestObjectBytes, alignUp(kObjectOverheadBytes + fieldBytes, 8));
}

}  // namespace heapscape::engine
