// SPDX-License-Identifier: MIT
#include "values/collections/kinds/collection_makers.h"

#include <fmt/format.h>

#include <unordered_map>

#include "values/collections/indexed_items.h"
#include "values/collections/node_chain.h"
#include "values/managed_array.h"

namespace heapscape::engine {
namespace {

/// Where a group lies among the fields of its object.
struct GroupShape {
  Address methodTable;
  std::uint32_t key = 0, next = 0, hashNext = 0;  // from the object's address
};

class Groups : public Collection {
 public:
  Groups(CollectionFacts facts, const AddressSpace& memory, const ManagedArray& buckets, Address last,
         const GroupShape& shape)
      : Collection(std::move(facts)), m_memory(memory), m_buckets(buckets), m_last(last), m_shape(shape) {}

  /// A ring that begins behind the latest group (Lookup.cs).
  std::string collect(ItemCollector& items) const override {
    auto slots = slotsOfGroups();
    Address group = m_last;
    for (std::uint64_t i = 0; i < facts().count; ++i) {
      if (!m_memory.tryRead(group + m_shape.next, group) || !isNode(m_memory, group, m_shape.methodTable))
        return fmt::format("There is no group at {}.", toString(group));
      const auto slot = slots.find(group);
      if (slot == slots.end()) return fmt::format("The group at {} is in no bucket, or comes twice.", toString(group));
      if (!items.offer({group + m_shape.key, slot->second})) return {};
      slots.erase(slot);
    }
    return {};
  }

 private:
  /// What refers to each group: a bucket, or the group before it in the same bucket.
  std::unordered_map<Address, Address> slotsOfGroups() const {
    std::unordered_map<Address, Address> slots;
    for (std::uint32_t i = 0; i < m_buckets.count; ++i) {
      Address slot = m_buckets.element(i), group;
      while (slots.size() < facts().count && m_memory.tryRead(slot, group) &&
             isNode(m_memory, group, m_shape.methodTable) && slots.emplace(group, slot).second)
        slot = group + m_shape.hashNext;
    }
    return slots;
  }

  const AddressSpace& m_memory;
  ManagedArray m_buckets;
  Address m_last;
  GroupShape m_shape;
};

}  // namespace

Result<std::unique_ptr<Collection>> makeLookup(const Instance& lookup) {
  HEAPSCAPE_TRY(CollectionFacts facts, keyedFacts(lookup));
  HEAPSCAPE_TRY(const ManagedArray buckets, readArray(lookup, "_groupings"));
  HEAPSCAPE_TRY(const Address last, lookup.reference("_lastGrouping"));
  HEAPSCAPE_TRY(facts.count, lookup.count("_count"));
  facts.valueType = buckets.elementType;
  if (!last) {
    if (facts.count) facts.damage = fmt::format("{} groups are counted, but there are none.", facts.count);
    return std::make_unique<FewItems>(std::move(facts), std::vector<ItemPlace>{});
  }
  HEAPSCAPE_TRY(const Instance group, Instance::at(lookup.sources(), last));
  GroupShape shape{.methodTable = group.type().address};
  HEAPSCAPE_TRY(const NodeShape inOrder, readNodeShape(group, "_next", {}, "_key"));
  HEAPSCAPE_TRY(const NodeShape inBucket, readNodeShape(group, "_hashNext", {}, "_key"));
  shape.key = inOrder.value;
  shape.next = inOrder.next;
  shape.hashNext = inBucket.next;
  return std::make_unique<Groups>(std::move(facts), lookup.memory(), buckets, last, shape);
}

Result<std::unique_ptr<Collection>> makeEmptyLookup(const Instance& lookup) {
  HEAPSCAPE_TRY(CollectionFacts facts, keyedFacts(lookup));
  return std::make_unique<FewItems>(std::move(facts), std::vector<ItemPlace>{});
}

Result<std::unique_ptr<Collection>> makeGrouping(const Instance& grouping) {
  HEAPSCAPE_TRY(const ManagedArray items, readArray(grouping, "_elements"));
  CollectionFacts facts{.capacity = items.count};
  HEAPSCAPE_TRY(facts.valueType, grouping.typeArgument(1));
  HEAPSCAPE_TRY(facts.count, grouping.count("_count"));
  return std::make_unique<IndexedItems>(
      std::move(facts), IndexedStorage{.values = items.data, .valueStride = items.elementSize, .slots = items.count});
}

}  // namespace heapscape::engine
