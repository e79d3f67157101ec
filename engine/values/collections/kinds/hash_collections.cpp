// SPDX-License-Identifier: MIT
#include "values/collections/kinds/collection_makers.h"

#include <fmt/format.h>

#include <algorithm>

#include "values/collections/indexed_items.h"

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
    HEAPSCAPE_TRY(storage.entries, readArray(instance, "_entries"));
    HEAPSCAPE_TRY(storage.used, instance.count("_count"));
    HEAPSCAPE_TRY(const std::uint32_t free, instance.count("_freeCount"));
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

}  // namespace heapscape::engine
