// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace heapscape::engine {

/// Steps between two looks at a stop token: of light steps (an object, a row), and of heavy ones (a type's layout).
inline constexpr std::uint32_t kStopInterval = 4096;
inline constexpr std::uint32_t kHeavyStopInterval = 64;

}  // namespace heapscape::engine
