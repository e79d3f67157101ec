// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>

#include "runtime/clr_runtime.h"

namespace heapscape::engine {

/// Bytes of a method's code with its funclets, as the head of its GC info has it (src/coreclr/inc/gcinfodecoder.h);
/// nothing if the GC info is not in the dump or makes no sense.
std::optional<std::uint32_t> codeLengthInGcInfo(const ClrRuntime& runtime, Address gcInfo);

}  // namespace heapscape::engine
