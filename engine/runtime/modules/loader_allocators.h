// SPDX-License-Identifier: MIT
#pragma once

#include "runtime/types/method_tables.h"

namespace heapscape::engine {

/// The runtime's LoaderAllocator that a type's method table was allocated from. Fails with NotInDump.
Result<Address> loaderAllocatorOf(const MethodTables& methodTables, const MethodTable& type);

/// The System.Reflection.LoaderAllocator object that stands for it on the heap and keeps a collectible type loaded;
/// null for the framework's own. Fails with NotInDump.
Result<Address> loaderAllocatorObject(const MethodTables& methodTables, const MethodTable& type);

}  // namespace heapscape::engine
