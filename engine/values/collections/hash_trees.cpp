// SPDX-License-Identifier: MIT
#include "values/collections/hash_trees.h"

#include "values/collections/node_chain.h"
#include "values/collections/tree_walk.h"

namespace heapscape::engine {
namespace {

class HashTreeItems : public Collection {
 public:
  struct Storage {
    Address root;
    TreeShape tree = {};        // its items are the buckets
    std::uint32_t first = 0;    // in a bucket: the first item
    std::uint32_t further = 0;  // in a bucket: the root of the tree of others
    PairShape item = {};
  };

  HashTreeItems(CollectionFacts facts, const InstanceSources& sources, const Storage& storage)
      : Collection(std::move(facts)), m_sources(sources), m_storage(storage) {}

  std::optional<ItemPlace> itemIn(Address node) const override {
    if (isNode(m_sources.readers.runtime.memory(), node, m_storage.tree.methodTable))
      return placeOf(node + m_storage.tree.item + m_storage.first);
    const auto tree =
        Instance::at(m_sources, node).and_then([](const Instance& further) { return immutableTree(further, "_key"); });
    if (!tree) return std::nullopt;
    return placeOf(node + tree->item);
  }

  std::string collect(ItemCollector& items) const override {
    std::string damage;
    const TreeWalk walk(m_sources.readers.runtime.memory(), m_storage.tree, facts().count);
    std::string ownDamage = walk.run(m_storage.root, [&](Address bucket) {
      if (!items.offer(placeOf(bucket + m_storage.first))) return false;
      damage = collectFurther(bucket, items);
      return damage.empty() && !items.isDone();
    });
    return damage.empty() ? ownDamage : damage;
  }

 private:
  ItemPlace placeOf(Address item) const {
    return {facts().hasKeys ? item + m_storage.item.key : Address{}, item + m_storage.item.value};
  }

  std::string collectFurther(Address bucket, ItemCollector& items) const {
    const AddressSpace& memory = m_sources.readers.runtime.memory();
    Address root;
    if (!memory.tryRead(bucket + m_storage.further, root) || !root) return {};
    const auto tree =
        Instance::at(m_sources, root).and_then([](const Instance& node) { return immutableTree(node, "_key"); });
    if (!tree) return tree.error().what;
    const TreeWalk walk(memory, *tree, facts().count);
    return walk.run(
        root, [&](Address item) { return items.offer(placeOf(item)); }, &items);
  }

  const InstanceSources& m_sources;
  Storage m_storage;
};

Result<std::unique_ptr<Collection>> overHashTree(const Instance& collection, CollectionFacts facts) {
  HEAPSCAPE_TRY(facts.count, collection.count("_count"));
  HEAPSCAPE_TRY(const Instance root, collection.follow("_root"));
  HEAPSCAPE_TRY(const Instance bucket, root.inner("_value"));
  HashTreeItems::Storage storage{.root = root.object()};
  HEAPSCAPE_TRY(storage.tree, immutableTree(root, "_value"));
  HEAPSCAPE_TRY(storage.first, bucket.offsetOf("_firstValue"));
  HEAPSCAPE_TRY(storage.further, bucket.offsetOf("_additionalElements"));
  if (facts.hasKeys) {
    HEAPSCAPE_TRY(const Instance pair, bucket.inner("_firstValue"));
    HEAPSCAPE_TRY(storage.item, pairShape(pair));
  }
  return std::make_unique<HashTreeItems>(std::move(facts), collection.sources(), storage);
}

}  // namespace

Result<std::unique_ptr<Collection>> makeImmutableHashSet(const Instance& set) {
  HEAPSCAPE_TRY(CollectionFacts facts, itemFacts(set, ItemLabels::None));
  return overHashTree(set, std::move(facts));
}

Result<std::unique_ptr<Collection>> makeImmutableDictionary(const Instance& dictionary) {
  HEAPSCAPE_TRY(CollectionFacts facts, keyedFacts(dictionary));
  return overHashTree(dictionary, std::move(facts));
}

}  // namespace heapscape::engine
