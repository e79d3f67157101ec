// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>

#include "runtime/clr_runtime.h"
#include "runtime/methods/gc_info_bits.h"

namespace heapscape::engine {

/// What every GC info begins with (GcInfoDecoder, src/coreclr/vm/gcinfodecoder.cpp).
struct GcInfoStart {
  bool isFat = false;       // has all its members; else a short form for ordinary methods
  std::uint32_t flags = 0;  // GcInfoHeaderFlags; of the short form one bit
  std::uint32_t codeLength = 0;
};
/// Reads up to behind the length; whether that failed, `bits` tells. `hasReturnKind`: until .NET 9 the head says what
/// kind of value the method returns.
GcInfoStart readGcInfoStart(GcInfoBits& bits, bool hasReturnKind);

/// Bytes of a method's code with its funclets, as the head of its GC info has it (src/coreclr/inc/gcinfodecoder.h);
/// nothing if the GC info is not in the dump or makes no sense.
std::optional<std::uint32_t> codeLengthInGcInfo(const ClrRuntime& runtime, Address gcInfo);

}  // namespace heapscape::engine
