// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>

#include "runtime/gc/handles.h"
#include "values/collections/collection.h"
#include "values/collections/kinds/collection_makers.h"
#include "values/collections/node_chain.h"
#include "values/instance.h"

namespace heapscape::engine {
namespace {

/// Entries that are objects of one type, in the order of an ArrayList.
class EntryObjects : public Collection {
 public:
  EntryObjects(CollectionFacts facts, const AddressSpace& memory, const ManagedArray& entries, const NodeShape& shape)
      : Collection(std::move(facts)), m_memory(memory), m_entries(entries), m_shape(shape) {}

  std::string collect(ItemCollector& items) const override {
    std::uint64_t index = std::min(items.unwanted(), facts().count);
    items.skip(index);
    for (; index < facts().count; ++index) {
      Address entry;
      if (!m_memory.tryRead(m_entries.element(index), entry) || !isNode(m_memory, entry, m_shape.methodTable))
        return fmt::format("Entry {} is not in the dump, or is none.", index);
      if (!items.offer({entry + m_shape.key, entry + m_shape.value})) return {};
    }
    return {};
  }

 private:
  const AddressSpace& m_memory;
  ManagedArray m_entries;
  NodeShape m_shape;
};

Result<std::unique_ptr<Collection>> overEntries(const Instance& collection, std::string_view listField,
                                                std::string_view key, std::string_view value) {
  HEAPSCAPE_TRY(CollectionFacts facts, objectFacts(collection));
  HEAPSCAPE_TRY(const Address list, collection.reference(listField));
  if (!list) return std::make_unique<FewItems>(std::move(facts), std::vector<ItemPlace>{});
  HEAPSCAPE_TRY(const Instance entries, collection.follow(listField));
  HEAPSCAPE_TRY(const ManagedArray slots, readArray(entries, kListArray.array));
  HEAPSCAPE_TRY(facts.count, entries.count(kListArray.count));
  facts.capacity = slots.count;
  facts.damage = countDamage(facts.count, slots.count);
  facts.count = std::min<std::uint64_t>(facts.count, slots.count);
  NodeShape shape;
  if (facts.count) {
    HEAPSCAPE_TRY(const Address first, collection.memory().read<Address>(slots.data));
    HEAPSCAPE_TRY(const Instance entry, Instance::at(collection.sources(), first));
    HEAPSCAPE_TRY(shape, readNodeShape(entry, {}, key, value));
  }
  return std::make_unique<EntryObjects>(std::move(facts), collection.memory(), slots, shape);
}

}  // namespace

Result<std::unique_ptr<Collection>> makeEntryDictionary(const Instance& dictionary) {
  return overEntries(dictionary, "_objectsArray", "_key", "_value");
}

Result<std::unique_ptr<Collection>> makeNamedObjects(const Instance& collection) {
  return overEntries(collection, "_entriesArray", "Key", "Value");
}

// A list while there are few items, then a table; neither before the first one (HybridDictionary.cs).
Result<std::unique_ptr<Collection>> makeHybridDictionary(const Instance& dictionary) {
  HEAPSCAPE_TRY(const Address table, dictionary.reference("hashtable"));
  if (table) {
    HEAPSCAPE_TRY(const Instance inside, dictionary.follow("hashtable"));
    return makeHashtable(inside);
  }
  HEAPSCAPE_TRY(const Address list, dictionary.reference("list"));
  if (list) {
    HEAPSCAPE_TRY(const Instance inside, dictionary.follow("list"));
    return makeListDictionary(inside);
  }
  HEAPSCAPE_TRY(CollectionFacts facts, objectFacts(dictionary));
  return std::make_unique<FewItems>(std::move(facts), std::vector<ItemPlace>{});
}

namespace {

/// Where the name and the token of a property lie.
Result<ItemPlace> placeOf(const Instance& property) {
  ItemPlace item;
  HEAPSCAPE_TRY(const FieldPlace name, property.field("_name"));
  HEAPSCAPE_TRY(const Instance content, property.follow("_content"));
  HEAPSCAPE_TRY(const FieldPlace token, content.field("_token"));
  item.key = name.address;
  item.value = token.address;
  return item;
}

Result<CollectionFacts> factsOf(const Instance& instance) {
  const ClrRuntime& runtime = instance.sources().readers.runtime;
  CollectionFacts facts{.labels = ItemLabels::Key, .hasKeys = true};
  HEAPSCAPE_TRY(facts.keyType, runtime.globalPointer("StringMethodTable"));
  HEAPSCAPE_TRY(facts.valueType, runtime.globalPointer("ObjectMethodTable"));
  return facts;
}

class Properties : public Collection {
 public:
  Properties(CollectionFacts facts, const InstanceSources& sources, const ManagedArray& slots)
      : Collection(std::move(facts)), m_sources(sources), m_slots(slots) {}

  std::string collect(ItemCollector& items) const override {
    for (std::uint64_t i = 0; i < facts().count && i < m_slots.count; ++i) {
      if (items.unwanted()) {
        items.skip(1);
        continue;
      }
      Address property;
      if (!m_sources.readers.runtime.memory().tryRead(m_slots.element(i), property))
        return fmt::format("Property {} is not in the dump.", i);
      auto item = Instance::at(m_sources, property).and_then(placeOf);
      if (!item) return item.error().what;
      if (!items.offer(std::move(*item))) return {};
    }
    return {};
  }

 private:
  const InstanceSources& m_sources;
  ManagedArray m_slots;
};

}  // namespace

Result<std::unique_ptr<Collection>> makeTokenObject(const Instance& object) {
  HEAPSCAPE_TRY(const Instance properties, object.follow("_properties"));
  HEAPSCAPE_TRY(const Instance list, properties.follow("items"));
  HEAPSCAPE_TRY(const ManagedArray slots, readArray(list, kListArray.array));
  HEAPSCAPE_TRY(CollectionFacts facts, factsOf(object));
  HEAPSCAPE_TRY(facts.count, list.count(kListArray.count));
  facts.damage = countDamage(facts.count, slots.count);
  facts.capacity = slots.count;
  return std::make_unique<Properties>(std::move(facts), object.sources(), slots);
}

Result<std::unique_ptr<Collection>> makeTokenList(const Instance& list) {
  HEAPSCAPE_TRY(const Instance values, list.follow("_values"));
  return makeList(values);
}

Result<std::unique_ptr<Collection>> makeTokenProperty(const Instance& property) {
  HEAPSCAPE_TRY(CollectionFacts facts, factsOf(property));
  HEAPSCAPE_TRY(ItemPlace item, placeOf(property));
  facts.count = 1;
  return std::make_unique<FewItems>(std::move(facts), std::vector<ItemPlace>{std::move(item)});
}

namespace {

class WeakItems : public Collection {
 public:
  struct Storage {
    ManagedArray entries;
    std::uint32_t used = 0;    // entries up to the first that was never used
    std::uint32_t handle = 0;  // in an entry
  };

  WeakItems(CollectionFacts facts, const ClrRuntime& runtime, const Storage& storage)
      : Collection(std::move(facts)), m_runtime(runtime), m_storage(storage) {}

  std::string collect(ItemCollector& items) const override {
    return walk([&](Address handle) {
      const auto value = secondaryOfDependentHandle(m_runtime, handle);
      ItemPlace place{handle, value.value_or(Address{})};
      if (!value) place.known = Value{.kind = ValueKind::Damaged, .damage = value.error().what};
      return items.offer(std::move(place));
    });
  }

  std::uint64_t countItems() const {
    std::uint64_t items = 0;
    walk([&](Address) { return ++items; });
    return items;
  }

 private:
  /// Calls visit(handle) for the entries whose key is alive.
  template <class Visit>
  std::string walk(Visit visit) const {
    const std::uint32_t end = std::min(m_storage.used, m_storage.entries.count);
    for (std::uint32_t index = 0; index < end; ++index) {
      Address handle;
      if (!m_runtime.memory().tryRead(m_storage.entries.element(index) + m_storage.handle, handle))
        return fmt::format("Entry {} is not in the dump.", index);
      if (!handle) continue;
      Address key;
      if (!m_runtime.memory().tryRead(handle, key))
        return fmt::format("The handle of entry {} is not in the dump.", index);
      if (key && !visit(handle)) return {};
    }
    return {};
  }

  const ClrRuntime& m_runtime;
  Storage m_storage;
};

}  // namespace

Result<std::unique_ptr<Collection>> makeWeakTable(const Instance& table) {
  HEAPSCAPE_TRY(CollectionFacts facts, keyedFacts(table));
  HEAPSCAPE_TRY(const Instance container, table.follow("_container"));
  WeakItems::Storage storage;
  HEAPSCAPE_TRY(storage.entries, readArray(container, "_entries"));
  HEAPSCAPE_TRY(storage.used, container.count("_firstFreeEntry"));
  HEAPSCAPE_TRY(const Instance entry, storage.entries.elementShape(table.sources()));
  HEAPSCAPE_TRY(storage.handle, entry.offsetOf("depHnd"));
  HEAPSCAPE_TRY(const Instance handle, entry.inner("depHnd"));
  HEAPSCAPE_TRY(const std::uint32_t offset, handle.offsetOf("_handle"));
  storage.handle += offset;
  facts.capacity = storage.entries.count;
  facts.damage = countDamage(storage.used, storage.entries.count);
  const ClrRuntime& runtime = table.sources().readers.runtime;
  facts.count = WeakItems(facts, runtime, storage).countItems();
  return std::make_unique<WeakItems>(std::move(facts), runtime, storage);
}

}  // namespace heapscape::engine
