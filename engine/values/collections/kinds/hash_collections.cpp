// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "values/collections/collection.h"
#include "values/collections/kinds/collection_makers.h"
#include "values/collections/node_chain.h"
#include "values/instance.h"

namespace heapscape::engine {
namespace {

std::string unreadableEntry(std::uint64_t index) {
  return fmt::format("Entry {} is not in the dump.", index);
}

/// An array of entries that are used up to a mark, but for those that removals have left.
class EntryItems : public Collection {
 public:
  struct Storage {
    ManagedArray entries;
    std::uint64_t used = 0;  // entries up to the mark
    std::uint32_t next = 0, key = 0, value = 0;
  };

  EntryItems(CollectionFacts facts, const AddressSpace& memory, const Storage& storage)
      : Collection(std::move(facts)), m_memory(memory), m_storage(storage) {}

  std::string collect(ItemCollector& items) const override {
    const std::uint64_t end = std::min<std::uint64_t>(m_storage.used, m_storage.entries.count);
    std::uint64_t index = 0;
    if (facts().count == end) {  // nothing was removed: an item's number is its entry's
      index = std::min(items.unwanted(), end);
      items.skip(index);
    }
    for (; index < end && items.offered() < facts().count; ++index) {
      const Address entry = m_storage.entries.element(index);
      std::int32_t next = 0;
      if (!m_memory.tryRead(entry + m_storage.next, next)) return unreadableEntry(index);
      if (next < kEndOfChain) continue;  // in the list of free entries
      ItemPlace place{{}, entry + m_storage.value};
      if (facts().hasKeys) place.key = entry + m_storage.key;
      if (!items.offer(std::move(place))) return {};
    }
    if (items.isDone() || items.offered() >= facts().count) return {};
    return fmt::format("{} of {} items were found among the entries.", items.offered(), facts().count);
  }

  std::uint64_t itemsBefore(Address place) const override {
    const std::uint64_t end = std::min<std::uint64_t>(m_storage.used, m_storage.entries.count);
    const std::uint32_t size = m_storage.entries.elementSize;
    if (place < m_storage.entries.data || !size) return 0;
    const std::uint64_t entry = std::min((place - m_storage.entries.data) / size, end);
    return facts().count == end ? entry : itemsBeforeEntry(entry);
  }

  static Result<std::unique_ptr<Collection>> make(const Instance& instance, CollectionFacts facts,
                                                  std::string_view nextName, std::string_view keyName,
                                                  std::string_view valueName) {
    Storage storage;
    HEAPSCAPE_TRY(storage.entries, readArray(instance, kHashArray.array));
    HEAPSCAPE_TRY(storage.used, instance.count(kHashArray.count));
    HEAPSCAPE_TRY(const std::uint32_t free, instance.count(kHashArray.free));
    facts.capacity = storage.entries.count;
    facts.count = storage.used - std::min<std::uint64_t>(free, storage.used);
    facts.damage = countDamage(storage.used, storage.entries.count);
    if (free > storage.used)
      facts.damage = fmt::format("More entries are free than were ever used: {} of {}.", free, storage.used);
    if (storage.entries.elementType) {
      HEAPSCAPE_TRY(const Instance entry, storage.entries.elementShape(instance.sources()));
      HEAPSCAPE_TRY(storage.next, entry.offsetOf(nextName));
      HEAPSCAPE_TRY(storage.value, entry.offsetOf(valueName));
      if (facts.hasKeys) {
        HEAPSCAPE_TRY(storage.key, entry.offsetOf(keyName));
      }
    }
    return std::make_unique<EntryItems>(std::move(facts), instance.memory(), storage);
  }

 private:
  // -1 ends a chain of used entries; free ones are chained with numbers below (StartOfFreeList in Dictionary.cs).
  static constexpr std::int32_t kEndOfChain = -1;

  std::uint64_t itemsBeforeEntry(std::uint64_t entry) const {
    const std::uint32_t size = m_storage.entries.elementSize;
    const Bytes bytes = m_memory.prefix(m_storage.entries.data, entry * size);
    std::uint64_t items = 0;
    for (std::uint64_t i = 0; i < entry; ++i) {
      std::int32_t next = 0;
      if (!tryReadAt(bytes, i * size + m_storage.next, next)) return 0;
      if (next >= kEndOfChain) ++items;
    }
    return items;
  }

  const AddressSpace& m_memory;
  Storage m_storage;
};

/// The buckets themselves hold the items; enumeration begins with the last (Hashtable.cs).
class BucketItems : public Collection {
 public:
  BucketItems(CollectionFacts facts, const AddressSpace& memory, Address bucketsObject, const ManagedArray& buckets,
              std::uint32_t key, std::uint32_t value)
      : Collection(std::move(facts)),
        m_memory(memory),
        m_bucketsObject(bucketsObject),
        m_buckets(buckets),
        m_key(key),
        m_value(value) {}

  std::string collect(ItemCollector& items) const override {
    for (std::uint64_t index = m_buckets.count; index-- > 0 && items.offered() < facts().count;) {
      const Address bucket = m_buckets.element(index);
      Address key;
      if (!m_memory.tryRead(bucket + m_key, key)) return unreadableEntry(index);
      // A removed item leaves the array itself as key.
      if (!key || key == m_bucketsObject) continue;
      if (!items.offer({bucket + m_key, bucket + m_value})) return {};
    }
    if (items.isDone() || items.offered() >= facts().count) return {};
    return fmt::format("{} of {} items were found in the buckets.", items.offered(), facts().count);
  }

 private:
  const AddressSpace& m_memory;
  Address m_bucketsObject;
  ManagedArray m_buckets;
  std::uint32_t m_key, m_value;
};

}  // namespace

Result<std::unique_ptr<Collection>> makeDictionary(const Instance& dictionary) {
  HEAPSCAPE_TRY(CollectionFacts facts, keyedFacts(dictionary));
  return EntryItems::make(dictionary, std::move(facts), "next", "key", "value");
}

Result<std::unique_ptr<Collection>> makeHashSet(const Instance& set) {
  HEAPSCAPE_TRY(CollectionFacts facts, itemFacts(set, ItemLabels::None));
  return EntryItems::make(set, std::move(facts), "Next", {}, "Value");
}

Result<std::unique_ptr<Collection>> makeHashtable(const Instance& table) {
  HEAPSCAPE_TRY(const Address bucketsObject, table.reference("_buckets"));
  HEAPSCAPE_TRY(const ManagedArray buckets, readArray(table, "_buckets"));
  HEAPSCAPE_TRY(const Instance bucket, buckets.elementShape(table.sources()));
  HEAPSCAPE_TRY(const std::uint32_t key, bucket.offsetOf("key"));
  HEAPSCAPE_TRY(const std::uint32_t value, bucket.offsetOf("val"));
  HEAPSCAPE_TRY(CollectionFacts facts, objectFacts(table));
  facts.capacity = buckets.count;
  HEAPSCAPE_TRY(facts.count, table.count("_count"));
  facts.damage = countDamage(facts.count, buckets.count);
  return std::make_unique<BucketItems>(std::move(facts), table.memory(), bucketsObject, buckets, key, value);
}

namespace {

/// As the class that it is, which has the fields.
Result<Instance> wholeOf(const Instance& base) {
  return Instance::at(base.sources(), base.object());
}

bool isEmptyOne(const Instance& frozen) {
  return frozen.shape().name.starts_with("System.Collections.Frozen.EmptyFrozen");
}

/// An array of that name, or the hash codes where those are the keys themselves.
Result<ManagedArray> contentsOf(const Instance& frozen, std::string_view field) {
  if (isEmptyOne(frozen)) return ManagedArray{};
  if (frozen.field(field)) return readArray(frozen, field);
  HEAPSCAPE_TRY(const Instance table, frozen.inner("_hashTable"));
  return readArray(table, "<HashCodes>k__BackingField");
}

}  // namespace

Result<std::unique_ptr<Collection>> makeFrozenDictionary(const Instance& dictionary) {
  HEAPSCAPE_TRY(CollectionFacts facts, keyedFacts(dictionary));
  HEAPSCAPE_TRY(const Instance whole, wholeOf(dictionary));
  HEAPSCAPE_TRY(const ManagedArray keys, contentsOf(whole, "_keys"));
  ManagedArray values;
  if (!isEmptyOne(whole)) {
    HEAPSCAPE_TRY(values, readArray(whole, "_values"));
  }
  facts.count = keys.count;
  if (keys.count != values.count)
    facts.damage = fmt::format("There are {} keys and {} values.", keys.count, values.count);
  return std::make_unique<IndexedItems>(std::move(facts), IndexedStorage{.keys = keys.data,
                                                                         .values = values.data,
                                                                         .keyStride = keys.elementSize,
                                                                         .valueStride = values.elementSize,
                                                                         .slots = std::min(keys.count, values.count)});
}

Result<std::unique_ptr<Collection>> makeFrozenSet(const Instance& set) {
  HEAPSCAPE_TRY(CollectionFacts facts, itemFacts(set, ItemLabels::None));
  HEAPSCAPE_TRY(const Instance whole, wholeOf(set));
  HEAPSCAPE_TRY(const ManagedArray items, contentsOf(whole, "_items"));
  facts.count = items.count;
  return std::make_unique<IndexedItems>(
      std::move(facts), IndexedStorage{.values = items.data, .valueStride = items.elementSize, .slots = items.count});
}

namespace {

/// Where a group lies among the fields of its object.
struct GroupShape {
  Address methodTable;
  std::uint32_t key = 0, next = 0, hashNext = 0;  // from the object's address
};

class LookupGroups : public Collection {
 public:
  LookupGroups(CollectionFacts facts, const AddressSpace& memory, const ManagedArray& buckets, Address last,
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
  /// Referrer of each group: a bucket, or the group before it in the same bucket.
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
  return std::make_unique<LookupGroups>(std::move(facts), lookup.memory(), buckets, last, shape);
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
