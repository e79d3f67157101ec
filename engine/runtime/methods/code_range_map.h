// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "runtime/methods/code_range.h"

namespace heapscape::engine {

/// Everything that the runtime has set aside for managed code and stubs, by address, each range once: the whole of the
/// map that findCodeRange looks into. Of a range only its mapped part holds memory.
std::vector<CodeRange> allCodeRanges(const ClrRuntime& runtime);

}  // namespace heapscape::engine
