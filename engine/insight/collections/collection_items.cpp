// SPDX-License-Identifier: MIT
#include "insight/collections/collection_items.h"

#include "heap/object_head.h"
#include "runtime/types/method_tables.h"
#include "values/instance.h"

namespace heapscape::engine {
namespace {

// -1 ends a chain of used entries; free ones are chained with numbers below (StartOfFreeList in Dictionary.cs).
constexpr std::int32_t kEndOfChain = -1;

}  // namespace

CollectionItems::CollectionItems(const InsightInput& input)
    : m_input(input), m_items(input.collections.types().size()) {
  for (const SurveyedCollection& collection : input.collections.collections()) {
    if (collection.count && !m_items[collection.type].isKnown) m_items[collection.type] = shapeOf(collection);
  }
}

Address CollectionItems::elementsOf(std::uint32_t array) const {
  return m_input.addressOf(array) + kElementsOffset;
}

CollectionItems::ItemShape CollectionItems::shapeOf(const SurveyedCollection& sample) const {
  const SurveyedType& type = m_input.collections.typeOf(sample);
  if (type.form == CollectionForm::Chains) return shapeOfNode(sample);
  ItemShape shape;
  if (type.form != CollectionForm::Entries && type.form != CollectionForm::Buckets) return shape;
  const InstanceSources sources{*m_input.contents.readers, m_input.shapes};
  const auto array = readArray(sources, m_input.addressOf(sample.storage[0]));
  const auto entry = array ? array->elementShape(sources) : failure(ErrorCode::NotFound, {});
  if (!entry) return shape;
  const bool isSet = type.kind == "HashSet";
  const bool isTable = type.form == CollectionForm::Buckets;
  const auto next = isTable ? Result<std::uint32_t>(0) : entry->offsetOf(isSet ? "Next" : "next");
  const auto hash = entry->offsetOf(isTable ? "hash_coll" : isSet ? "HashCode" : "hashCode");
  const auto key = entry->offsetOf(isSet ? "Value" : "key");
  const auto value = entry->offsetOf(isTable ? "val" : isSet ? "Value" : "value");
  if (!next || !hash || !key || !value) return shape;
  return {array->elementSize, *next, *hash, *key, *value, true};
}

CollectionItems::ItemShape CollectionItems::shapeOfNode(const SurveyedCollection& sample) const {
  const auto buckets = m_input.contents.graph->targetsOf(sample.storage[0]);
  ItemShape shape;
  if (buckets.empty()) return shape;
  const InstanceSources sources{*m_input.contents.readers, m_input.shapes};
  const auto node = Instance::at(sources, m_input.addressOf(buckets.front()));
  if (!node) return shape;
  const auto next = node->offsetOf("_next");
  const auto hash = node->offsetOf("_hashcode");
  const auto key = node->offsetOf("_key");
  const auto value = node->offsetOf("_value");
  if (!next || !hash || !key || !value) return shape;
  constexpr auto kFields = static_cast<std::uint32_t>(Instance::kFieldsOffset);
  return {0, *next + kFields, *hash + kFields, *key + kFields, *value + kFields, true};
}

bool CollectionItems::forEach(const SurveyedCollection& collection, const Visit& visit) const {
  if (!collection.count) return true;
  const ItemShape& shape = m_items[collection.type];
  switch (m_input.collections.typeOf(collection).form) {
    case CollectionForm::Items:
      return forEachElement(collection, visit);
    case CollectionForm::Entries:
      return shape.isKnown && forEachEntry(collection, shape, visit);
    case CollectionForm::Buckets:
      return shape.isKnown && forEachBucket(collection, shape, visit);
    case CollectionForm::Chains:
      return shape.isKnown && forEachNode(collection, shape, visit);
    default:
      return false;
  }
}

std::uint32_t CollectionItems::bucketsOf(const SurveyedCollection& collection) const {
  const CollectionForm form = m_input.collections.typeOf(collection).form;
  const bool isHashed =
      form == CollectionForm::Entries || form == CollectionForm::Buckets || form == CollectionForm::Chains;
  return isHashed ? collection.capacity : 0;
}

/// A queue may begin anywhere and go on at the front: of one, what is null may be an unused slot.
bool CollectionItems::forEachElement(const SurveyedCollection& collection, const Visit& visit) const {
  const SurveyedType& type = m_input.collections.typeOf(collection);
  const std::uint32_t stride = m_input.row({m_input.objectTypes[collection.storage[0]]}).componentSize;
  if (type.kind == "Queue" && collection.count < collection.capacity) return false;
  const Address elements = elementsOf(collection.storage[0]);
  for (std::uint32_t i = 0; i < collection.count; ++i) {
    if (!visit({{}, elements + std::uint64_t{i} * stride, 0})) break;
  }
  return true;
}

bool CollectionItems::forEachEntry(const SurveyedCollection& collection, const ItemShape& shape,
                                   const Visit& visit) const {
  const Address entries = elementsOf(collection.storage[0]);
  std::uint32_t items = 0;
  for (std::uint32_t i = 0; i < collection.used; ++i) {
    const Address entry = entries + std::uint64_t{i} * shape.stride;
    std::int32_t next = 0;
    SurveyedItem item{entry + shape.key, entry + shape.value, 0};
    if (!m_input.contents.memory->tryRead(entry + shape.next, next)) return false;
    if (next < kEndOfChain) continue;
    if (!m_input.contents.memory->tryRead(entry + shape.hash, item.hash)) return false;
    ++items;
    if (!visit(item)) return true;
  }
  return items == collection.count;
}

/// A key that was removed from the middle of a chain is the array itself (Hashtable.cs).
bool CollectionItems::forEachBucket(const SurveyedCollection& collection, const ItemShape& shape,
                                    const Visit& visit) const {
  constexpr std::uint32_t kCollisionBit = 0x80000000;
  const Address buckets = elementsOf(collection.storage[0]);
  std::uint32_t items = 0;
  for (std::uint32_t i = 0; i < collection.capacity; ++i) {
    const Address bucket = buckets + std::uint64_t{i} * shape.stride;
    SurveyedItem item{bucket + shape.key, bucket + shape.value, 0};
    Address key;
    if (!m_input.contents.memory->tryRead(item.key, key)) return false;
    if (!key || key == m_input.addressOf(collection.storage[0])) continue;
    if (!m_input.contents.memory->tryRead(bucket + shape.hash, item.hash)) return false;
    item.hash &= ~kCollisionBit;
    ++items;
    if (!visit(item)) return true;
  }
  return items == collection.count;
}

/// The nodes are the objects that the buckets lead to; a chain that goes astray or round ends at the count.
bool CollectionItems::forEachNode(const SurveyedCollection& collection, const ItemShape& shape,
                                  const Visit& visit) const {
  const AddressSpace& memory = *m_input.contents.memory;
  const Address buckets = elementsOf(collection.storage[0]);
  std::uint32_t items = 0;
  for (std::uint32_t i = 0; i < collection.capacity; ++i) {
    Address node;
    if (!memory.tryRead(buckets + std::uint64_t{i} * sizeof node, node)) return false;
    for (; node; ++items) {
      SurveyedItem item{node + shape.key, node + shape.value, 0};
      if (items == collection.count || !memory.tryRead(node + shape.hash, item.hash)) return false;
      if (!visit(item)) return true;
      if (!memory.tryRead(node + shape.next, node)) return false;
    }
  }
  return items == collection.count;
}

}  // namespace heapscape::engine
