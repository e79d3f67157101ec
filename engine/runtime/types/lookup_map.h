// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "runtime/clr_runtime.h"

namespace heapscape::engine {

/// What a module has loaded, by row of a table of its metadata: a LookupMap (src/coreclr/vm/ceeload.h), chained arrays
/// with flag bits in their entries. Entries are 0 for what is not loaded and what the dump lacks.
std::vector<Address> readLookupMap(const ClrRuntime& runtime, Address map);

}  // namespace heapscape::engine
