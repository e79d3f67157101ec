// SPDX-License-Identifier: MIT
#include "query/objects/collection_sizes.h"

#include <algorithm>

#include "heap/object_head.h"
#include "memory/address_space.h"
#include "values/collections/held_counts.h"

namespace heapscape::engine {

CollectionType::CollectionType(const InstanceSources& sources, Address methodTable) {
  const TypeShape* shape = sources.shapes.find(methodTable);
  const auto recognised = shape ? recogniseCollection(Instance(sources, *shape, {})) : std::nullopt;
  if (!recognised) return;
  m_kind = recognised->kind;
  m_shape = &recognised->instance.shape();
  findFields(sources);
}

void CollectionType::findFields(const InstanceSources& sources) {
  const auto names = countedArrayOf(*m_kind);
  if (!names) return;
  const Instance instance(sources, *m_shape, {});
  const auto array = instance.offsetOf(names->array);
  const auto count = instance.offsetOf(names->count);
  if (!array || !count) return;
  constexpr auto kFromObject = static_cast<std::uint32_t>(Instance::kFieldsOffset);
  Fields fields{*array + kFromObject, *count + kFromObject};
  fields.end = std::max<std::uint32_t>(fields.array + sizeof(Address), fields.count + sizeof(std::int32_t));
  if (!names->free.empty()) {
    const auto free = instance.offsetOf(names->free);
    if (!free) return;
    fields.free = *free + kFromObject;
    fields.end = std::max<std::uint32_t>(fields.end, *fields.free + sizeof(std::int32_t));
  }
  m_fields = fields;
}

// Nothing if it cannot be read, or is not as it should be.
std::optional<CollectionType::Storage> CollectionType::storageOf(const AddressSpace& memory, Address object) const {
  const Bytes bytes = memory.prefix(object, m_fields->end);
  Address array;
  std::int32_t count = 0, free = 0;
  if (!tryReadAt(bytes, m_fields->array, array) || !tryReadAt(bytes, m_fields->count, count) || count < 0)
    return std::nullopt;
  if (m_fields->free && (!tryReadAt(bytes, *m_fields->free, free) || free < 0)) return std::nullopt;
  Storage storage;
  storage.sizes.count = static_cast<std::uint64_t>(count - std::min(free, count));
  if (!array) return storage;
  std::uint32_t slots = 0;
  const Bytes head = memory.prefix(array, kComponentsOffset + sizeof slots);
  if (!tryReadAt(head, 0, storage.arrayType) || !tryReadAt(head, kComponentsOffset, slots)) return std::nullopt;
  storage.arrayType.value &= kMethodTableMask;
  if (!storage.arrayType) return std::nullopt;
  if (slots) storage.sizes.capacity = slots;
  return storage;
}

CollectionSizes CollectionType::open(const InstanceSources& sources, Address object) const {
  const auto collection = openCollection({m_kind, {sources, *m_shape, object + Instance::kFieldsOffset}});
  if (!collection) return {.isUnreadable = collection.error().code != ErrorCode::NotFound};
  const CollectionFacts& facts = (*collection)->facts();
  if (facts.isEndless) return {.isUnreadable = true};
  return {.count = facts.count, .capacity = facts.capacity ? std::optional(facts.capacity) : std::nullopt};
}

CollectionSizes CollectionType::sizesOf(const InstanceSources& sources, Address object) {
  if (!m_kind) return {};
  const AddressSpace& memory = sources.readers.runtime.memory();
  if (!hasCounts(memory)) {
    CollectionSizes sizes = open(sources, object);
    if (sizes.count == 0u && sizes.capacity) sizes.count.reset();
    return sizes;
  }
  const auto storage = m_fields ? storageOf(memory, object) : std::nullopt;
  if (!storage) return open(sources, object);
  const bool isKnown = storage->arrayType ? storage->arrayType == m_openedArray : m_isOpenedWithout;
  if (isKnown) return storage->sizes;
  const CollectionSizes opened = open(sources, object);
  if (opened == storage->sizes) {
    if (storage->arrayType) m_openedArray = storage->arrayType;
    if (!storage->arrayType) m_isOpenedWithout = true;
  }
  return opened;
}

}  // namespace heapscape::engine
