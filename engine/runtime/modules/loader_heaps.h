// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "base/finding.h"
#include "runtime/clr_runtime.h"

namespace heapscape::engine {

/// One block that a loader heap has reserved for what the runtime makes of types and methods: method tables, field and
/// method descriptions, stubs. How much of it is committed, only the process's mappings tell.
struct LoaderHeapBlock {
  AddressRange range;
  const char* heap = "";  // "low frequency", "stubs" …: what the runtime keeps in it
};

/// All blocks of the heaps of one LoaderAllocator (src/coreclr/vm/loaderallocator.hpp, inc/loaderheap.h). A heap that
/// this version does not have, or that the dump lacks, has none.
std::vector<LoaderHeapBlock> readLoaderHeaps(const ClrRuntime& runtime, Address loaderAllocator, FindingList& findings);

}  // namespace heapscape::engine
