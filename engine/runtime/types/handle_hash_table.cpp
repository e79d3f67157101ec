// SPDX-License-Identifier: MIT
#include "runtime/types/handle_hash_table.h"

#include "base/limits.h"

namespace heapscape::engine {

// Chained entries behind an array of buckets; a chain's end is marked by bit 0.
std::vector<Address> readHandleHashTable(const ClrRuntime& runtime, Address module, std::string_view name) {
  const AddressSpace& memory = runtime.memory();
  std::vector<Address> handles;
  const auto table = runtime.pointerAt(module, "Module", name);
  if (!table || !*table) return handles;
  const auto buckets = runtime.pointerAt(*table, "EETypeHashTable", "Buckets");
  const auto count = runtime.valueAt<std::uint32_t>(*table, "EETypeHashTable", "Count");
  std::uint64_t length = 0;
  if (!buckets || !count || !memory.tryRead(*buckets, length) || length > kLimits.typesPerModule ||
      *count > kLimits.typesPerModule) {
    return handles;
  }
  const Address first = *buckets + 8 * runtime.contract().constant("EETypeHashTable.FirstBucketSlot");
  for (std::uint64_t bucket = 0; bucket < length && handles.size() < *count; ++bucket) {
    Address entry;
    if (!memory.tryRead(first + 8 * bucket, entry)) break;
    while (entry && (entry.value & 1) == 0 && handles.size() < *count) {
      const auto handle = runtime.pointerAt(entry, "EETypeHashTable", "VolatileEntryValue");
      const auto next = runtime.pointerAt(entry, "EETypeHashTable", "VolatileEntryNextEntry");
      if (!handle || !next) break;
      handles.push_back(*handle);
      entry = *next;
    }
  }
  return handles;
}

}  // namespace heapscape::engine
