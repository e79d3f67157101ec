// SPDX-License-Identifier: MIT
#include "runtime/modules/loader_allocators.h"

namespace heapscape::engine {

Result<Address> loaderAllocatorOf(const MethodTables& methodTables, const MethodTable& type) {
  HEAPSCAPE_TRY(const Address module, methodTables.loaderModule(type));
  return methodTables.runtime().pointerAt(module, "Module", "LoaderAllocator");
}

Result<Address> loaderAllocatorObject(const MethodTables& methodTables, const MethodTable& type) {
  const ClrRuntime& runtime = methodTables.runtime();
  HEAPSCAPE_TRY(const Address allocator, loaderAllocatorOf(methodTables, type));
  HEAPSCAPE_TRY(const Address handle, runtime.pointerAt(allocator, "LoaderAllocator", "ObjectHandle"));
  if (!handle) return Address{};
  return runtime.memory().readPointer(handle);
}

}  // namespace heapscape::engine
