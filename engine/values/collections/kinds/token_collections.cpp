// SPDX-License-Identifier: MIT
#include "values/collections/kinds/collection_makers.h"

#include <fmt/format.h>

#include "values/collections/indexed_items.h"
#include "values/collections/node_chain.h"
#include "values/managed_array.h"

namespace heapscape::engine {
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
  HEAPSCAPE_TRY(const ManagedArray slots, readArray(list, "_items"));
  HEAPSCAPE_TRY(CollectionFacts facts, factsOf(object));
  HEAPSCAPE_TRY(facts.count, list.count("_size"));
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

}  // namespace heapscape::engine
