// SPDX-License-Identifier: MIT
#include "values/collections/tree_collections.h"

#include "values/collections/node_chain.h"
#include "values/collections/tree_walk.h"

namespace heapscape::engine {
namespace {

class TreeItems : public Collection {
 public:
  TreeItems(CollectionFacts facts, const AddressSpace& memory, Address root, const TreeShape& tree,
            const PairShape& item)
      : Collection(std::move(facts)), m_memory(memory), m_root(root), m_tree(tree), m_item(item) {}

  std::optional<ItemPlace> itemIn(Address node) const override {
    if (!isNode(m_memory, node, m_tree.methodTable)) return std::nullopt;
    return placeOf(node + m_tree.item);
  }

  std::string collect(ItemCollector& items) const override {
    const auto offer = [&](Address item) { return items.offer(placeOf(item)); };
    return TreeWalk(m_memory, m_tree, facts().count).run(m_root, offer, &items);
  }

 private:
  ItemPlace placeOf(Address item) const {
    return {facts().hasKeys ? item + m_item.key : Address{}, item + m_item.value};
  }

  const AddressSpace& m_memory;
  Address m_root;
  TreeShape m_tree;
  PairShape m_item;
};

Result<std::unique_ptr<Collection>> overSortedSet(const Instance& set, CollectionFacts facts) {
  HEAPSCAPE_TRY(facts.count, set.count("count"));
  HEAPSCAPE_TRY(const Address root, set.reference("root"));
  if (!root) return std::make_unique<FewItems>(std::move(facts), std::vector<ItemPlace>{});
  HEAPSCAPE_TRY(const Instance node, Instance::at(set.sources(), root));
  HEAPSCAPE_TRY(const TreeShape tree, sortedSetTree(node));
  PairShape item;
  if (facts.hasKeys) {
    HEAPSCAPE_TRY(const Instance pair, node.inner("<Item>k__BackingField"));
    HEAPSCAPE_TRY(item, pairShape(pair));
  }
  return std::make_unique<TreeItems>(std::move(facts), set.memory(), root, tree, item);
}

Result<std::unique_ptr<Collection>> overImmutableTree(const Instance& collection, CollectionFacts facts) {
  HEAPSCAPE_TRY(const Instance root, collection.follow("_root"));
  HEAPSCAPE_TRY(facts.count, root.count("_count"));
  HEAPSCAPE_TRY(const TreeShape tree, immutableTree(root, "_key"));
  return std::make_unique<TreeItems>(std::move(facts), collection.memory(), root.object(), tree, PairShape{});
}

}  // namespace

Result<std::unique_ptr<Collection>> makeSortedSet(const Instance& set) {
  HEAPSCAPE_TRY(CollectionFacts facts, itemFacts(set, ItemLabels::None));
  return overSortedSet(set, std::move(facts));
}

Result<std::unique_ptr<Collection>> makeSortedDictionary(const Instance& dictionary) {
  HEAPSCAPE_TRY(CollectionFacts facts, keyedFacts(dictionary));
  HEAPSCAPE_TRY(const Instance set, dictionary.follow("_set"));
  return overSortedSet(set, std::move(facts));
}

Result<std::unique_ptr<Collection>> makeImmutableList(const Instance& list) {
  HEAPSCAPE_TRY(CollectionFacts facts, itemFacts(list));
  return overImmutableTree(list, std::move(facts));
}

Result<std::unique_ptr<Collection>> makeImmutableSortedSet(const Instance& set) {
  HEAPSCAPE_TRY(CollectionFacts facts, itemFacts(set, ItemLabels::None));
  return overImmutableTree(set, std::move(facts));
}

Result<std::unique_ptr<Collection>> makeImmutableSortedDictionary(const Instance& dictionary) {
  HEAPSCAPE_TRY(CollectionFacts facts, keyedFacts(dictionary));
  HEAPSCAPE_TRY(facts.count, dictionary.count("_count"));
  HEAPSCAPE_TRY(const Instance root, dictionary.follow("_root"));
  HEAPSCAPE_TRY(TreeShape tree, immutableTree(root, "_key"));
  PairShape item;
  HEAPSCAPE_TRY(item.key, root.offsetOf("_key"));
  HEAPSCAPE_TRY(item.value, root.offsetOf("_value"));
  tree.item = Instance::kFieldsOffset;  // key and value lie apart in the node
  return std::make_unique<TreeItems>(std::move(facts), dictionary.memory(), root.object(), tree, item);
}

}  // namespace heapscape::engine
