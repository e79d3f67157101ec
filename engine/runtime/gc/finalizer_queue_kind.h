// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace heapscape::engine {

/// Where in its queue an object with a finalizer stands.
enum class FinalizerQueueKind : std::uint8_t {
  Ready,          // found unreachable; the finalizer thread will run its finalizer
  ReadyCritical,  // the same for a CriticalFinalizerObject, which comes after the others
  Registered,     // alive as far as the GC knows
};
/// "ready" for both ready ones, "registered".
const char* toString(FinalizerQueueKind queue);

}  // namespace heapscape::engine
