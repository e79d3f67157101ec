// SPDX-License-Identifier: MIT
#include "runtime/gc/gc_variables.h"

#include "base/address.h"

namespace heapscape::engine {

Result<GcVariables> GcVariables::of(const ClrRuntime& runtime) {
  HEAPSCAPE_TRY(const Address variables, runtime.globalPointer("GcDacVars"));
  return GcVariables(runtime, variables);
}

Result<Address> GcVariables::valueOf(std::string_view name) const {
  HEAPSCAPE_TRY(const Address address, variable(name));
  return m_runtime->memory().readPointer(address);
}

Result<Address> GcVariables::heapAt(std::uint32_t heap) const {
  HEAPSCAPE_TRY(const Address heaps, valueOf("GHeaps"));
  return m_runtime->memory().readPointer(heaps + kPointerBytes * heap);
}

Result<Address> GcVariables::memberOfHeap(std::uint32_t heap, std::string_view field) const {
  HEAPSCAPE_TRY(const Address address, heapAt(heap));
  HEAPSCAPE_TRY(const Address offsets, variable("GcHeapFieldOffsets"));
  HEAPSCAPE_TRY(const std::int32_t offset,
                m_runtime->memory().read<std::int32_t>(
                    offsets + 4 * m_runtime->contract().offset("GcHeapFieldOffsetsIndex", field)));
  if (!address || offset < 0) return failure(ErrorCode::NotFound, "The GC's heaps have no such member.");
  return address + static_cast<std::uint64_t>(offset);
}

Result<Address> GcVariables::placeOf(bool isServer, std::uint32_t heap, std::string_view name) const {
  if (isServer) return memberOfHeap(heap, name);
  HEAPSCAPE_TRY(const Address place, variable(name));
  if (!place) return failure(ErrorCode::NotFound, "This GC has no such variable.");
  return place;
}

}  // namespace heapscape::engine
