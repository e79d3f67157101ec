// SPDX-License-Identifier: MIT
#include "values/collections/kinds/collection_makers.h"

#include <fmt/format.h>

#include "values/collections/node_chain.h"
#include "values/managed_array.h"

namespace heapscape::engine {
namespace {

class BucketChains : public Collection {
 public:
  BucketChains(CollectionFacts facts, const InstanceSources& sources, const ManagedArray& buckets,
               std::uint64_t mostNodes)
      : Collection(std::move(facts)), m_sources(sources), m_buckets(buckets), m_mostNodes(mostNodes) {}

  std::string collect(ItemCollector& items) const override {
    NodeShape shape;  // of the first node that there is, and so of all
    for (std::uint64_t index = 0; index < m_buckets.count; ++index) {
      Address node;
      if (!memory().tryRead(m_buckets.element(index), node)) return fmt::format("Bucket {} is not in the dump.", index);
      if (!node) continue;
      if (!shape.methodTable) {
        const auto read = Instance::at(m_sources, node).and_then([](const Instance& first) {
          return readNodeShape(first, "_next", "_key", "_value");
        });
        if (!read) return read.error().what;
        shape = *read;
      }
      std::string damage = collectChain(node, shape, items);
      if (!damage.empty() || items.isDone()) return damage;
    }
    return {};
  }

  std::optional<ItemPlace> itemIn(Address node) const override {
    const auto shape = Instance::at(m_sources, node).and_then([](const Instance& instance) {
      return readNodeShape(instance, "_next", "_key", "_value");
    });
    if (!shape) return std::nullopt;
    return ItemPlace{node + shape->key, node + shape->value};
  }

 private:
  const AddressSpace& memory() const { return m_sources.readers.runtime.memory(); }

  std::string collectChain(Address node, const NodeShape& shape, ItemCollector& items) const {
    while (node) {
      if (!isNode(memory(), node, shape.methodTable)) return fmt::format("There is no node at {}.", toString(node));
      if (items.offered() >= m_mostNodes)
        return fmt::format("There are more nodes than the {} that are counted.", facts().count);
      if (!items.offer({node + shape.key, node + shape.value})) return {};
      if (!memory().tryRead(node + shape.next, node)) return "A node is not in the dump.";
    }
    return {};
  }

  const InstanceSources& m_sources;
  ManagedArray m_buckets;
  std::uint64_t m_mostNodes;
};

/// The sum of the counts by lock. A thread that holds a lock may have one node more than it has counted.
Result<std::uint64_t> sumOfCounts(const Instance& tables, const ManagedArray& counts) {
  constexpr std::uint32_t kMostLocks = 1'000'000;
  if (counts.count > kMostLocks || counts.elementSize != sizeof(std::int32_t))
    return failure(ErrorCode::Damaged, fmt::format("{} counts cannot be those of locks.", counts.count));
  std::uint64_t sum = 0;
  for (std::uint32_t i = 0; i < counts.count; ++i) {
    HEAPSCAPE_TRY(const auto count, tables.memory().read<std::int32_t>(counts.element(i)));
    if (count < 0) return failure(ErrorCode::Damaged, fmt::format("The count {} of lock {} is negative.", count, i));
    sum += static_cast<std::uint64_t>(count);
  }
  return sum;
}

}  // namespace

Result<std::unique_ptr<Collection>> makeConcurrentDictionary(const Instance& dictionary) {
  HEAPSCAPE_TRY(CollectionFacts facts, keyedFacts(dictionary));
  HEAPSCAPE_TRY(const Instance tables, dictionary.follow("_tables"));
  HEAPSCAPE_TRY(const ManagedArray buckets, readArray(tables, "_buckets"));
  HEAPSCAPE_TRY(const ManagedArray counts, readArray(tables, "_countPerLock"));
  HEAPSCAPE_TRY(facts.count, sumOfCounts(tables, counts));
  facts.capacity = buckets.count;
  const std::uint64_t mostNodes = facts.count + counts.count;
  return std::make_unique<BucketChains>(std::move(facts), dictionary.sources(), buckets, mostNodes);
}

}  // namespace heapscape::engine
