// SPDX-License-Identifier: MIT
#include "runtime/methods/ready_to_run_code.h"

#include <algorithm>

#include "base/limits.h"
#include "runtime/methods/unwind_record.h"

namespace heapscape::engine {
namespace {

// HashMap of src/coreclr/vm/hash.h: four keys, then four values a bucket; values are kept shifted by one, because their
// highest bit notes collisions.
constexpr unsigned kSlotsPerBucket = 4;
constexpr std::uint64_t kLastReservedKey = 1;  // 0 is an empty slot, 1 a deleted one

/// Finds the function that holds a place in a sorted part of the table: the last one that begins there or before.
ReadyToRunCode::FunctionSearch searchPart(const ClrRuntime& runtime, Address table, std::uint64_t first,
                                          std::uint64_t last, Address imageBase, std::uint32_t rva) {
  const std::uint64_t size = runtime.contract().sizeOf("RuntimeFunction");
  std::optional<std::uint64_t> candidate;
  while (first < last) {
    const std::uint64_t middle = first + (last - first) / 2;
    const auto begin = runtime.valueAt<std::uint32_t>(table + middle * size, "RuntimeFunction", "BeginAddress");
    if (!begin) return {};
    if (rva < *begin) {
      last = middle;
    } else {
      candidate = middle;
      first = middle + 1;
    }
  }
  if (!candidate) return {};
  const auto function = readRuntimeFunction(runtime, table + *candidate * size, imageBase);
  if (!function) return {.function = std::nullopt, .isWhole = false};
  if (rva >= function->end) return {};
  return {.function = *function, .index = static_cast<std::uint32_t>(*candidate)};
}

}  // namespace

std::optional<RuntimeFunction> readRuntimeFunction(const ClrRuntime& runtime, Address entry, Address imageBase) {
  const auto begin = runtime.valueAt<std::uint32_t>(entry, "RuntimeFunction", "BeginAddress");
  const auto unwind = runtime.valueAt<std::uint32_t>(entry, "RuntimeFunction", "UnwindData");
  if (!begin || !unwind) return std::nullopt;
  if (runtime.contract().architecture() == Architecture::X64) {
    const auto end = runtime.valueAt<std::uint32_t>(entry, "RuntimeFunction", "EndAddress");
    return end ? std::optional(RuntimeFunction{*begin, *end, *unwind}) : std::nullopt;
  }
  const auto record = readUnwindRecord(runtime.memory(), imageBase + *unwind);
  return record ? std::optional(RuntimeFunction{*begin, *begin + record->functionBytes, *unwind}) : std::nullopt;
}

std::optional<ReadyToRunCode::Entry> ReadyToRunCode::entryAtOrBefore(Address module, Address address) const {
  const std::shared_ptr<const Entries> entries = entriesIn(module);
  auto next = entries->map.upper_bound(address);
  if (next == entries->map.begin()) return std::nullopt;
  --next;
  return Entry{next->first, next->second, entries->isWhole};
}

ReadyToRunCode::FunctionSearch ReadyToRunCode::functionAt(Address module, Address imageBase, std::uint32_t rva) const {
  const auto info = m_runtime.pointerAt(module, "Module", "ReadyToRunInfo");
  const auto table = info ? m_runtime.pointerAt(*info, "ReadyToRunInfo", "RuntimeFunctions") : info;
  const auto count = info ? m_runtime.valueAt<std::uint32_t>(*info, "ReadyToRunInfo", "NumRuntimeFunctions")
                          : failure(ErrorCode::NotFound, {});
  const std::uint64_t size = m_runtime.contract().sizeOf("RuntimeFunction");
  if (!table || !count || size == 0) return {.function = std::nullopt, .isWhole = false};
  const AddressRange whole{*table, *table + *count * size};
  const std::vector<AddressRange> parts = m_runtime.memory().readable(whole);
  FunctionSearch search{.function = std::nullopt, .isWhole = parts == std::vector{whole}};
  for (const AddressRange& part : parts) {
    const std::uint64_t first = (part.start - *table + size - 1) / size;
    const std::uint64_t last = (part.end - *table) / size;
    if (first >= last) continue;
    const FunctionSearch inPart = searchPart(m_runtime, *table, first, last, imageBase, rva);
    search.isWhole &= inPart.isWhole;
    if (!inPart.function) continue;
    search.function = inPart.function;
    search.index = inPart.index;
    break;
  }
  return search;
}

std::shared_ptr<const ReadyToRunCode::EntryMap> ReadyToRunCode::entriesOf(Address module) const {
  const std::shared_ptr<const Entries> entries = entriesIn(module);
  return {entries, &entries->map};
}

std::shared_ptr<const ReadyToRunCode::Entries> ReadyToRunCode::entriesIn(Address module) const {
  const std::lock_guard lock(m_mutex);
  auto& entries = m_entries[module];
  if (entries) return entries;
  const auto info = m_runtime.pointerAt(module, "Module", "ReadyToRunInfo");
  // Images that were compiled together share one map.
  const auto owner = info ? m_runtime.pointerAt(*info, "ReadyToRunInfo", "CompositeInfo") : info;
  entries = std::make_shared<const Entries>(owner ? readEntries(*owner) : Entries{.isWhole = false});
  return entries;
}

// A mini dump has but those buckets that the runtime's own walk over the stacks needed.
ReadyToRunCode::Entries ReadyToRunCode::readEntries(Address info) const {
  const AddressSpace& memory = m_runtime.memory();
  const std::uint64_t bucketBytes = m_runtime.contract().sizeOf("Bucket");
  Entries entries;
  const Address map = m_runtime.member(info, "ReadyToRunInfo", "EntryPointToMethodDescMap");
  const auto buckets = m_runtime.pointerAt(map, "HashMap", "Buckets");
  std::uint32_t count = 0;
  // The first bucket holds nothing but their number.
  if (!buckets || !*buckets || bucketBytes == 0 || !memory.tryRead(*buckets, count)) return {.isWhole = false};
  const std::uint64_t most = kLimits.codeEntriesOfModule / kSlotsPerBucket;
  const AddressRange whole{*buckets, *buckets + (std::min<std::uint64_t>(count, most) + 1) * bucketBytes};
  const std::vector<AddressRange> parts = memory.readable(whole);
  entries.isWhole = count <= most && parts == std::vector{whole};
  for (const AddressRange& part : parts) {
    const std::uint64_t first = std::max<std::uint64_t>((part.start - *buckets + bucketBytes - 1) / bucketBytes, 1);
    const std::uint64_t end = (part.end - *buckets) / bucketBytes;
    for (std::uint64_t i = first; i < end; ++i) readBucket(*buckets + i * bucketBytes, entries.map);
  }
  return entries;
}

void ReadyToRunCode::readBucket(Address bucket, EntryMap& entries) const {
  for (unsigned slot = 0; slot < kSlotsPerBucket; ++slot) {
    std::uint64_t key = 0;
    std::uint64_t value = 0;
    if (!m_runtime.memory().tryRead(m_runtime.member(bucket, "Bucket", "Keys") + 8 * slot, key) ||
        !m_runtime.memory().tryRead(m_runtime.member(bucket, "Bucket", "Values") + 8 * slot, value)) {
      return;
    }
    if (key > kLastReservedKey) entries.emplace(Address{key}, Address{value << 1});
  }
}

}  // namespace heapscape::engine
