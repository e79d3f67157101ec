// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "heap/object_header.h"
#include "runtime/clr_runtime.h"

namespace heapscape::engine {

/// Decodes a header word by this runtime's rules: thread ids of 10 bits before .NET 8, of 16 since.
ObjectHeader decodeHeader(const Contract& contract, std::uint32_t value);

/// Reads and decodes the header of an object. Fails with NotInDump. A free object's header is left over from another
/// time and means nothing.
Result<ObjectHeader> readHeader(const ClrRuntime& runtime, Address object);

}  // namespace heapscape::engine
