// SPDX-License-Identifier: MIT
#pragma once

#include "runtime/clr_runtime.h"

namespace heapscape::engine {

/// The MethodDesc that a precode stands for: the small stub that a method's slots point at until, or as long as, its
/// code may change (src/coreclr/vm/precode.h). 0 if there is none at the address or the dump does not hold it.
Address methodOfPrecode(const ClrRuntime& runtime, Address entry);

}  // namespace heapscape::engine
