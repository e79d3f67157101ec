// SPDX-License-Identifier: MIT
#include "values/collections/kinds/collection_makers.h"

#include <fmt/format.h>

#include "values/collections/collection.h"

namespace heapscape::engine {
namespace {

/// Type of the items by the collection; an array of something else may stand in for one of those.
TypeHandle itemType(const Instance& collection, const ManagedArray& array) {
  return collection.typeArgument(0).value_or(array.elementType);
}

Result<std::unique_ptr<Collection>> overArray(const Instance& collection, const ManagedArray& array,
                                              std::uint64_t count, IndexedStorage storage = {},
                                              std::string damage = {}) {
  storage.values = array.data;
  storage.valueStride = array.elementSize;
  storage.slots = array.count;
  return std::make_unique<IndexedItems>(CollectionFacts{.valueType = itemType(collection, array),
                                                        .count = count,
                                                        .capacity = array.count,
                                                        .damage = std::move(damage)},
                                        storage);
}

/// Part of an array.
Result<std::unique_ptr<Collection>> overSlice(const Instance& collection, const ManagedArray& array,
                                              std::uint64_t first, std::uint64_t count) {
  CollectionFacts facts{.valueType = itemType(collection, array), .count = count};
  if (first > array.count) {
    facts.damage = fmt::format("It begins at {} of {} elements.", first, array.count);
    first = array.count;
  }
  return std::make_unique<IndexedItems>(
      std::move(facts),
      IndexedStorage{.values = array.element(first), .valueStride = array.elementSize, .slots = array.count - first});
}

}  // namespace

Result<std::unique_ptr<Collection>> makeArray(const Instance& array) {
  HEAPSCAPE_TRY(const ManagedArray items, readArray(array.sources(), array.object()));
  return overArray(array, items, items.count);
}

Result<std::unique_ptr<Collection>> makeList(const Instance& list) {
  HEAPSCAPE_TRY(const ManagedArray items, readArray(list, kListArray.array));
  HEAPSCAPE_TRY(const std::uint32_t count, list.count(kListArray.count));
  return overArray(list, items, count);
}

Result<std::unique_ptr<Collection>> makeStack(const Instance& stack) {
  HEAPSCAPE_TRY(const ManagedArray items, readArray(stack, kStackArray.array));
  HEAPSCAPE_TRY(const std::uint32_t count, stack.count(kStackArray.count));
  return overArray(stack, items, count, {.isReversed = true});
}

Result<std::unique_ptr<Collection>> makeQueue(const Instance& queue) {
  HEAPSCAPE_TRY(const ManagedArray items, readArray(queue, "_array"));
  HEAPSCAPE_TRY(const std::uint32_t count, queue.count("_size"));
  HEAPSCAPE_TRY(const std::uint32_t head, queue.count("_head"));
  std::string damage;
  if (head && head >= items.count) damage = fmt::format("The head is slot {} of {}.", head, items.count);
  return overArray(queue, items, count, {.firstSlot = head}, std::move(damage));
}

Result<std::unique_ptr<Collection>> makeSortedList(const Instance& list) {
  HEAPSCAPE_TRY(const ManagedArray keys, readArray(list, "keys"));
  HEAPSCAPE_TRY(const ManagedArray values, readArray(list, "values"));
  HEAPSCAPE_TRY(const std::uint32_t count, list.count("_size"));
  return std::make_unique<IndexedItems>(CollectionFacts{.labels = ItemLabels::Key,
                                                        .hasKeys = true,
                                                        .keyType = keys.elementType,
                                                        .valueType = values.elementType,
                                                        .count = count,
                                                        .capacity = keys.count},
                                        IndexedStorage{.keys = keys.data,
                                                       .values = values.data,
                                                       .keyStride = keys.elementSize,
                                                       .valueStride = values.elementSize,
                                                       .slots = std::min(keys.count, values.count)});
}

// A heap in an array: the order is that of UnorderedItems, with the smallest priority first.
Result<std::unique_ptr<Collection>> makePriorityQueue(const Instance& queue) {
  HEAPSCAPE_TRY(const ManagedArray nodes, readArray(queue, kPriorityArray.array));
  HEAPSCAPE_TRY(const std::uint32_t count, queue.count(kPriorityArray.count));
  CollectionFacts facts{.hasKeys = true, .count = count, .capacity = nodes.count};
  HEAPSCAPE_TRY(facts.valueType, queue.typeArgument(0));
  HEAPSCAPE_TRY(facts.keyType, queue.typeArgument(1));
  return overPairs(queue, std::move(facts), nodes, "Item2", "Item1");
}

Result<std::unique_ptr<Collection>> overPairs(const Instance& collection, CollectionFacts facts,
                                              const ManagedArray& pairs, std::string_view key, std::string_view value) {
  IndexedStorage storage{.keyStride = pairs.elementSize, .valueStride = pairs.elementSize, .slots = pairs.count};
  if (pairs.elementType) {
    HEAPSCAPE_TRY(const Instance pair, pairs.elementShape(collection.sources()));
    HEAPSCAPE_TRY(const std::uint32_t keyOffset, pair.offsetOf(key));
    HEAPSCAPE_TRY(const std::uint32_t valueOffset, pair.offsetOf(value));
    storage.keys = pairs.data + keyOffset;
    storage.values = pairs.data + valueOffset;
  }
  return std::make_unique<IndexedItems>(std::move(facts), storage);
}

// Entries stay in order and without holes, whatever is removed (OrderedDictionary.cs).
Result<std::unique_ptr<Collection>> makeOrderedDictionary(const Instance& dictionary) {
  HEAPSCAPE_TRY(const ManagedArray entries, readArray(dictionary, kOrderedArray.array));
  HEAPSCAPE_TRY(CollectionFacts facts, keyedFacts(dictionary));
  HEAPSCAPE_TRY(facts.count, dictionary.count(kOrderedArray.count));
  facts.capacity = entries.count;
  return overPairs(dictionary, std::move(facts), entries, "Key", "Value");
}

Result<std::unique_ptr<Collection>> makeImmutableArray(const Instance& array) {
  HEAPSCAPE_TRY(const ManagedArray items, readArray(array, "array"));
  return overArray(array, items, items.count);
}

Result<std::unique_ptr<Collection>> makeArraySegment(const Instance& segment) {
  HEAPSCAPE_TRY(const ManagedArray array, readArray(segment, "_array"));
  HEAPSCAPE_TRY(const std::uint32_t first, segment.count("_offset"));
  HEAPSCAPE_TRY(const std::uint32_t count, segment.count("_count"));
  return overSlice(segment, array, first, count);
}

// Over an array or a string; what a MemoryManager keeps lies where only it knows.
Result<std::unique_ptr<Collection>> makeMemory(const Instance& memory) {
  constexpr std::uint32_t kIndexMask = 0x7fffffff;  // the highest bit says that the array is pinned
  HEAPSCAPE_TRY(const Address object, memory.reference("_object"));
  HEAPSCAPE_TRY(const std::uint32_t index, memory.number<std::uint32_t>("_index"));
  HEAPSCAPE_TRY(const std::uint32_t count, memory.count("_length"));
  if (!object) return overSlice(memory, {}, 0, count);
  HEAPSCAPE_TRY(const Instance holder, Instance::at(memory.sources(), object));
  const ClrRuntime& runtime = memory.sources().readers.runtime;
  HEAPSCAPE_TRY(const Address stringType, runtime.globalPointer("StringMethodTable"));
  if (holder.type().address == stringType) {
    ManagedArray characters{runtime.member(object, "String", "m_FirstChar"), 0, sizeof(char16_t), {}};
    HEAPSCAPE_TRY(characters.count, runtime.valueAt<std::uint32_t>(object, "String", "m_StringLength"));
    return overSlice(memory, characters, index & kIndexMask, count);
  }
  if (!holder.type().isArray) return failure(ErrorCode::NotFound, "The memory is that of a MemoryManager.");
  HEAPSCAPE_TRY(const ManagedArray array, readArray(memory.sources(), object));
  return overSlice(memory, array, index & kIndexMask, count);
}

}  // namespace heapscape::engine
