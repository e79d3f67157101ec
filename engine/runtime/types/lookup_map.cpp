// SPDX-License-Identifier: MIT
#include "runtime/types/lookup_map.h"

#include "base/limits.h"

namespace heapscape::engine {

std::vector<Address> readLookupMap(const ClrRuntime& runtime, Address map) {
  std::vector<Address> entries;
  Address node = map;
  for (std::size_t nodes = 0; node && nodes < kLimits.parentDepth; ++nodes) {
    const auto table = runtime.pointerAt(node, "ModuleLookupMap", "TableData");
    const auto count = runtime.valueAt<std::uint32_t>(node, "ModuleLookupMap", "Count");
    const auto flags = runtime.valueAt<std::uint64_t>(node, "ModuleLookupMap", "SupportedFlagsMask");
    const auto next = runtime.pointerAt(node, "ModuleLookupMap", "Next");
    if (!table || !count || !flags || !next || entries.size() + *count > kLimits.typesPerModule) break;
    for (std::uint32_t i = 0; i < *count; ++i) {
      std::uint64_t entry = 0;
      // One that is missing keeps its place: those behind it belong to their own rows.
      entries.push_back(runtime.memory().tryRead(*table + 8ull * i, entry) ? Address{entry & ~*flags} : Address{});
    }
    node = *next;
  }
  return entries;
}

}  // namespace heapscape::engine
