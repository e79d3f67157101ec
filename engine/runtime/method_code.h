// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace heapscape::engine {

/// Where a method's native code comes from.
enum class MethodState : std::uint8_t { None, ReadyToRun, Jitted };
/// "none", "readyToRun", "jitted".
const char* toString(MethodState state);

}  // namespace heapscape::engine
