// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "runtime/clr_runtime.h"

namespace heapscape::engine {

/// Addresses that the runtime has set aside for managed code of one kind (RangeSection, src/coreclr/vm/codeman.h).
struct CodeRange {
  AddressRange range;
  Address heap;    // jitted code: the heap that it lies in; else 0
  Address module;  // ReadyToRun code: the Module that it was compiled with; else 0
};

/// The range that an address lies in; nothing if it is none of managed code or stubs, or if the map of them is not in
/// the dump.
std::optional<CodeRange> findCodeRange(const ClrRuntime& runtime, Address address);

}  // namespace heapscape::engine
