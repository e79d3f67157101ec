// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace heapscape::engine {

/// Of x64; the 128 of other processors are whole lines, too.
inline constexpr std::uint32_t kCacheLineBytes = 64;

}  // namespace heapscape::engine
