// SPDX-License-Identifier: MIT
#pragma once

#include "runtime/clr_runtime.h"

namespace heapscape::engine {

/// Where the method or stub begins that holds an address in a heap of jitted code (HeapList,
/// src/coreclr/vm/codeman.h); 0 if there is none or the heap's map of beginnings is not in the dump. The map does not
/// tell where code ends.
Address findCodeStart(const ClrRuntime& runtime, Address codeHeap, Address address);

}  // namespace heapscape::engine
