// SPDX-License-Identifier: MIT
#include "values/collections/kinds/collection_makers.h"

#include <algorithm>

#include "values/collections/node_chain.h"

namespace heapscape::engine {
namespace {

class TreeItems : public Collection {
 public:
  TreeItems(CollectionFacts facts, const AddressSpace& memory, Address root, const TreeShape& tree,
            const PairShape& item)
      : Collection(std::move(facts)), m_memory(memory), m_root(root), m_tree(tree), m_item(item) {}

  std::optional<ItemPlace> itemIn(Address node) const override {
    const bool isLeaf = m_tree.leafMethodTable && isNode(m_memory, node, m_tree.leafMethodTable);
    if (!isLeaf && !isNode(m_memory, node, m_tree.methodTable)) return std::nullopt;
    return placeOf(node + m_tree.item);
  }

  /// The walk ends at so many.
  std::uint64_t countNodes(std::uint64_t limit, std::string& damage) const {
    std::uint64_t nodes = 0;
    damage = TreeWalk(m_memory, m_tree, limit).run(m_root, [&](Address) { return ++nodes; });
    return nodes;
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

/// A tree that nobody has counted, in a field whose name ends with the line of the source that declares it.
Result<std::unique_ptr<Collection>> overFSharpTree(const Instance& collection, CollectionFacts facts) {
  constexpr std::int32_t kHighest = 30;
  const auto field = std::ranges::find_if(collection.shape().fields, [](const FieldShape& candidate) {
    return candidate.name == "tree" || candidate.name.starts_with("tree@");
  });
  if (field == collection.shape().fields.end())
    return failure(ErrorCode::NotFound, collection.shape().name + " has no tree.");
  HEAPSCAPE_TRY(const Address root, collection.reference(field->name));
  if (!root) return std::make_unique<FewItems>(std::move(facts), std::vector<ItemPlace>{});
  HEAPSCAPE_TRY(const Instance node, Instance::at(collection.sources(), root));
  HEAPSCAPE_TRY(TreeShape tree, fsharpTree(node));
  PairShape item;
  if (facts.hasKeys) {
    HEAPSCAPE_TRY(item.key, node.offsetOf("k"));
    HEAPSCAPE_TRY(item.value, node.offsetOf("v"));
    tree.item = Instance::kFieldsOffset;  // key and value lie apart in the node
  }
  HEAPSCAPE_TRY(const auto height, node.number<std::int32_t>("h"));
  const std::uint64_t mostNodes = 1ull << std::clamp(height, 1, kHighest);
  facts.count = TreeItems(facts, collection.memory(), root, tree, item).countNodes(mostNodes, facts.damage);
  return std::make_unique<TreeItems>(std::move(facts), collection.memory(), root, tree, item);
}

}  // namespace

Result<std::unique_ptr<Collection>> makeFSharpMap(const Instance& map) {
  HEAPSCAPE_TRY(CollectionFacts facts, keyedFacts(map));
  return overFSharpTree(map, std::move(facts));
}

Result<std::unique_ptr<Collection>> makeFSharpSet(const Instance& set) {
  HEAPSCAPE_TRY(CollectionFacts facts, itemFacts(set, ItemLabels::None));
  return overFSharpTree(set, std::move(facts));
}

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
