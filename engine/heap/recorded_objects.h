// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "base/address.h"
#include "base/ids.h"
#include "base/large_array.h"

namespace heapscape::engine {

/// What each object of a heap is, where that was recorded as the heap was looked through, and there is no memory to
/// read it from. Index: ObjectId.
struct RecordedObjects {
  LargeArray<std::uint32_t> types;  // TypeIds
  LargeArray<std::uint32_t> sizes;  // exact bytes
};

/// Stands for the method table of a type of which none was recorded: no address of a process, for these have the upper
/// half of all for the kernel.
constexpr Address standInFor(TypeId type) {
  return {1ull << 63 | std::uint64_t{type.value} << 3};
}
constexpr bool isStandIn(Address methodTable) {
  return methodTable.value >> 63;
}

}  // namespace heapscape::engine
