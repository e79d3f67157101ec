// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "runtime/clr_runtime.h"

namespace heapscape::engine {

/// Addresses that the runtime has set aside for managed code of one kind (RangeSection, src/coreclr/vm/codeman.h).
struct CodeRange {
  AddressRange range;
  Address heap;    // jitted code: the heap that it lies in; else 0
  Address module;  // ReadyToRun code: the Module that it was compiled with; else 0
};

/// The range that an address lies in; nullopt if it is none of managed code or stubs, or if the map of them is not in
/// the dump.
std::optional<CodeRange> findCodeRange(const ClrRuntime& runtime, Address address);

/// Everything that the runtime has set aside for managed code and stubs, by address, each range once: the whole of the
/// map that findCodeRange looks into. Of a range only its mapped part holds memory.
std::vector<CodeRange> allCodeRanges(const ClrRuntime& runtime);

}  // namespace heapscape::engine
