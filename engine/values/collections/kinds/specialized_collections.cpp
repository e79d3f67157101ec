// SPDX-License-Identifier: MIT
#include "values/collections/kinds/collection_makers.h"

#include <fmt/format.h>

#include <algorithm>

#include "values/collections/indexed_items.h"
#include "values/collections/node_chain.h"

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
  HEAPSCAPE_TRY(const ManagedArray slots, readArray(entries, "_items"));
  HEAPSCAPE_TRY(facts.count, entries.count("_size"));
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

}  // namespace heapscape::engine
