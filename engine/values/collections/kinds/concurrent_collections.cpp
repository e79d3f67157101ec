// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "base/limits.h"
#include "values/collections/kinds/collection_makers.h"
#include "values/collections/node_chain.h"
#include "values/instance.h"

namespace heapscape::engine {
namespace {

class RingItems : public Collection {
 public:
  RingItems(CollectionFacts facts, std::vector<SlotRing> rings, bool isReversed)
      : Collection(std::move(facts)), m_rings(std::move(rings)), m_isReversed(isReversed) {}

  std::string collect(ItemCollector& items) const override {
    for (const SlotRing& ring : m_rings) {
      for (std::uint32_t i = 0; i < ring.count; ++i) {
        if (!items.offer({{}, ring.element(m_isReversed ? ring.count - 1 - i : i)})) return {};
      }
    }
    return {};
  }

 private:
  std::vector<SlotRing> m_rings;
  bool m_isReversed;
};

/// Fails where more items are claimed than there are slots.
Result<SlotRing> withinSlots(const SlotRing& ring, std::string_view what, const Instance& instance) {
  if (ring.count <= ring.slots.count) return ring;
  return failure(ErrorCode::Damaged, fmt::format("The {} at {} claims {} items in {} slots.", what,
                                                 toString(instance.object()), ring.count, ring.slots.count));
}

Result<SlotRing> readQueue(const Instance& instance) {
  SlotRing queue;
  HEAPSCAPE_TRY(queue.slots, readArray(instance, "_array"));
  HEAPSCAPE_TRY(queue.first, instance.number<std::uint32_t>("_headIndex"));
  HEAPSCAPE_TRY(const std::uint32_t added, instance.number<std::uint32_t>("_addTakeCount"));
  HEAPSCAPE_TRY(const std::uint32_t stolen, instance.number<std::uint32_t>("_stealCount"));
  queue.count = added - stolen;
  return withinSlots(queue, "queue", instance);
}

}  // namespace

std::unique_ptr<Collection> overRings(CollectionFacts facts, std::vector<SlotRing> rings, bool isReversed) {
  for (const SlotRing& ring : rings) {
    facts.count += ring.count;
    facts.capacity += ring.slots.count;
  }
  return std::make_unique<RingItems>(std::move(facts), std::move(rings), isReversed);
}

Result<std::unique_ptr<Collection>> makeConcurrentBag(const Instance& bag) {
  HEAPSCAPE_TRY(CollectionFacts facts, itemFacts(bag, ItemLabels::None));
  std::vector<SlotRing> queues;
  HEAPSCAPE_TRY(Address at, bag.reference("_workStealingQueues"));
  while (at) {
    if (queues.size() == kLimits.threads) {
      facts.damage = "There are more queues than there can be threads.";
      break;
    }
    HEAPSCAPE_TRY(const Instance instance, Instance::at(bag.sources(), at));
    HEAPSCAPE_TRY(const SlotRing queue, readQueue(instance));
    queues.push_back(queue);
    HEAPSCAPE_TRY(at, instance.reference("_nextQueue"));
  }
  return overRings(std::move(facts), std::move(queues), true);
}

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

namespace {

/// Positions count up without end, and wrap around; a slot is one of them modulo the slots (ConcurrentQueueSegment.cs).
Result<SlotRing> readSegment(const Instance& instance) {
  SlotRing segment;
  HEAPSCAPE_TRY(segment.slots, readArray(instance, "_slots"));
  HEAPSCAPE_TRY(const Instance ends, instance.inner("_headAndTail"));
  HEAPSCAPE_TRY(segment.first, ends.number<std::uint32_t>("Head"));
  HEAPSCAPE_TRY(std::uint32_t tail, ends.number<std::uint32_t>("Tail"));
  HEAPSCAPE_TRY(const bool isFrozen, instance.number<std::uint8_t>("_frozenForEnqueues"));
  if (isFrozen) tail -= 2 * segment.slots.count;  // freezing moves the tail on by that much
  segment.count = tail - segment.first;
  return withinSlots(segment, "segment", instance);
}

class SegmentItems : public Collection {
 public:
  struct SlotShape {
    std::uint32_t item = 0, sequence = 0;
  };

  SegmentItems(CollectionFacts facts, const AddressSpace& memory, std::vector<SlotRing> segments, SlotShape slot)
      : Collection(std::move(facts)), m_memory(memory), m_segments(std::move(segments)), m_slot(slot) {}

  std::string collect(ItemCollector& items) const override {
    for (const SlotRing& segment : m_segments) {
      const auto first = static_cast<std::uint32_t>(std::min<std::uint64_t>(items.unwanted(), segment.count));
      items.skip(first);
      for (std::uint32_t i = first; i < segment.count; ++i) {
        if (!items.offer(placeOf(segment, i))) return {};
      }
    }
    return {};
  }

 private:
  // A slot's number is its position plus one from when its item has been written.
  ItemPlace placeOf(const SlotRing& segment, std::uint32_t index) const {
    const Address slot = segment.element(index);
    ItemPlace place{{}, slot + m_slot.item};
    std::uint32_t sequence = 0;
    if (m_memory.tryRead(slot + m_slot.sequence, sequence) && sequence != segment.first + index + 1)
      place.known = Value{.kind = ValueKind::Damaged, .damage = "The item was being added or taken at that moment."};
    return place;
  }

  const AddressSpace& m_memory;
  std::vector<SlotRing> m_segments;
  SlotShape m_slot;
};

}  // namespace

Result<std::unique_ptr<Collection>> makeConcurrentQueue(const Instance& queue) {
  HEAPSCAPE_TRY(CollectionFacts facts, itemFacts(queue));
  std::vector<SlotRing> segments;
  SegmentItems::SlotShape slot;
  HEAPSCAPE_TRY(const Address first, queue.reference("_head"));
  CycleWatch watch;
  for (Address at = first; at;) {
    if (watch.isRepeated(at) || segments.size() == kLimits.queueSegments) {
      facts.damage = fmt::format("The segments form a circle that {} belongs to.", toString(at));
      break;
    }
    HEAPSCAPE_TRY(const Instance instance, Instance::at(queue.sources(), at));
    HEAPSCAPE_TRY(SlotRing segment, readSegment(instance));
    if (segments.empty()) {
      HEAPSCAPE_TRY(const Instance element, segment.slots.elementShape(queue.sources()));
      HEAPSCAPE_TRY(slot.item, element.offsetOf("Item"));
      HEAPSCAPE_TRY(slot.sequence, element.offsetOf("SequenceNumber"));
    }
    facts.count += segment.count;
    facts.capacity += segment.slots.count;
    segments.push_back(segment);
    HEAPSCAPE_TRY(at, instance.reference("_nextSegment"));
  }
  return std::make_unique<SegmentItems>(std::move(facts), queue.memory(), std::move(segments), slot);
}

}  // namespace heapscape::engine
