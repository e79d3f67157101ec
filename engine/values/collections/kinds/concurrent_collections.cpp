// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "base/limits.h"
#include "values/collections/kinds/collection_makers.h"
#include "values/collections/node_chain.h"
#include "values/instance.h"

namespace heapscape::engine {
namespace {

/// Items at [head, head + count) of a ring of slots.
struct ThreadQueue {
  ManagedArray slots;
  std::uint32_t head = 0;
  std::uint32_t count = 0;
};

Result<ThreadQueue> readQueue(const Instance& instance) {
  ThreadQueue queue;
  HEAPSCAPE_TRY(queue.slots, readArray(instance, "_array"));
  HEAPSCAPE_TRY(queue.head, instance.number<std::uint32_t>("_headIndex"));
  HEAPSCAPE_TRY(const std::uint32_t added, instance.number<std::uint32_t>("_addTakeCount"));
  HEAPSCAPE_TRY(const std::uint32_t stolen, instance.number<std::uint32_t>("_stealCount"));
  queue.count = added - stolen;
  if (queue.count > queue.slots.count) {
    return failure(ErrorCode::Damaged, fmt::format("The queue at {} claims {} items in {} slots.",
                                                   toString(instance.object()), queue.count, queue.slots.count));
  }
  return queue;
}

class BagItems : public Collection {
 public:
  BagItems(CollectionFacts facts, std::vector<ThreadQueue> queues)
      : Collection(std::move(facts)), m_queues(std::move(queues)) {}

  std::string collect(ItemCollector& items) const override {
    for (const ThreadQueue& queue : m_queues) {
      for (std::uint32_t i = queue.count; i-- > 0;) {
        if (!items.offer({{}, queue.slots.element((queue.head + i) % queue.slots.count)})) return {};
      }
    }
    return {};
  }

 private:
  std::vector<ThreadQueue> m_queues;
};

}  // namespace

Result<std::unique_ptr<Collection>> makeConcurrentBag(const Instance& bag) {
  HEAPSCAPE_TRY(CollectionFacts facts, itemFacts(bag, ItemLabels::None));
  std::vector<ThreadQueue> queues;
  HEAPSCAPE_TRY(Address at, bag.reference("_workStealingQueues"));
  while (at) {
    if (queues.size() == kLimits.threads) {
      facts.damage = "There are more queues than there can be threads.";
      break;
    }
    HEAPSCAPE_TRY(const Instance instance, Instance::at(bag.sources(), at));
    HEAPSCAPE_TRY(const ThreadQueue queue, readQueue(instance));
    facts.count += queue.count;
    facts.capacity += queue.slots.count;
    queues.push_back(queue);
    HEAPSCAPE_TRY(at, instance.reference("_nextQueue"));
  }
  return std::make_unique<BagItems>(std::move(facts), std::move(queues));
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
struct QueueSegment {
  ManagedArray slots;
  std::uint32_t head = 0;
  std::uint32_t count = 0;
};

Result<QueueSegment> readSegment(const Instance& instance) {
  QueueSegment segment;
  HEAPSCAPE_TRY(segment.slots, readArray(instance, "_slots"));
  HEAPSCAPE_TRY(const Instance ends, instance.inner("_headAndTail"));
  HEAPSCAPE_TRY(segment.head, ends.number<std::uint32_t>("Head"));
  HEAPSCAPE_TRY(std::uint32_t tail, ends.number<std::uint32_t>("Tail"));
  HEAPSCAPE_TRY(const bool isFrozen, instance.number<std::uint8_t>("_frozenForEnqueues"));
  if (isFrozen) tail -= 2 * segment.slots.count;  // freezing moves the tail on by that much
  segment.count = tail - segment.head;
  if (segment.count > segment.slots.count) {
    return failure(ErrorCode::Damaged, fmt::format("The segment at {} claims {} items in {} slots.",
                                                   toString(instance.object()), segment.count, segment.slots.count));
  }
  return segment;
}

class SegmentItems : public Collection {
 public:
  struct SlotShape {
    std::uint32_t item = 0, sequence = 0;
  };

  SegmentItems(CollectionFacts facts, const AddressSpace& memory, std::vector<QueueSegment> segments, SlotShape slot)
      : Collection(std::move(facts)), m_memory(memory), m_segments(std::move(segments)), m_slot(slot) {}

  std::string collect(ItemCollector& items) const override {
    for (const QueueSegment& segment : m_segments) {
      const auto first = static_cast<std::uint32_t>(std::min<std::uint64_t>(items.unwanted(), segment.count));
      items.skip(first);
      for (std::uint32_t i = first; i < segment.count; ++i) {
        if (!items.offer(placeOf(segment, segment.head + i))) return {};
      }
    }
    return {};
  }

 private:
  // A slot's number is its position plus one from when its item has been written.
  ItemPlace placeOf(const QueueSegment& segment, std::uint32_t position) const {
    const Address slot = segment.slots.element(position % segment.slots.count);
    ItemPlace place{{}, slot + m_slot.item};
    std::uint32_t sequence = 0;
    if (m_memory.tryRead(slot + m_slot.sequence, sequence) && sequence != position + 1)
      place.known = Value{.kind = ValueKind::Damaged, .damage = "The item was being added or taken at that moment."};
    return place;
  }

  const AddressSpace& m_memory;
  std::vector<QueueSegment> m_segments;
  SlotShape m_slot;
};

}  // namespace

Result<std::unique_ptr<Collection>> makeConcurrentQueue(const Instance& queue) {
  HEAPSCAPE_TRY(CollectionFacts facts, itemFacts(queue));
  std::vector<QueueSegment> segments;
  SegmentItems::SlotShape slot;
  HEAPSCAPE_TRY(const Address first, queue.reference("_head"));
  CycleWatch watch;
  for (Address at = first; at;) {
    if (watch.isRepeated(at) || segments.size() == kLimits.queueSegments) {
      facts.damage = fmt::format("The segments form a circle that {} belongs to.", toString(at));
      break;
    }
    HEAPSCAPE_TRY(const Instance instance, Instance::at(queue.sources(), at));
    HEAPSCAPE_TRY(QueueSegment segment, readSegment(instance));
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
