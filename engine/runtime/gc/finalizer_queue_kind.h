// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "base/enum_names.h"

namespace heapscape::engine {

/// Where in its queue an object with a finalizer stands.
enum class FinalizerQueueKind : std::uint8_t {
  Ready,          // found unreachable; the finalizer thread will run its finalizer
  ReadyCritical,  // the same for a CriticalFinalizerObject, which comes after the others
  Registered,     // alive as far as the GC knows
};
template <>
inline constexpr auto kEnumNames<FinalizerQueueKind> =
    std::to_array<EnumName<FinalizerQueueKind>>({{FinalizerQueueKind::Ready, "ready"},
                                                 {FinalizerQueueKind::ReadyCritical, "ready"},
                                                 {FinalizerQueueKind::Registered, "registered"}});

}  // namespace heapscape::engine
