// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "base/finding.h"
#include "runtime/clr_runtime.h"
#include "runtime/types/method_tables.h"

namespace heapscape::engine {

/// The runtime's LoaderAllocator that a type's method table was allocated from. Fails with NotInDump.
Result<Address> loaderAllocatorOf(const MethodTables& methodTables, const MethodTable& type);

/// The System.Reflection.LoaderAllocator object that stands for it on the heap and keeps a collectible type loaded;
/// null for the framework's own. Fails with NotInDump.
Result<Address> loaderAllocatorObject(const MethodTables& methodTables, const MethodTable& type);

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
