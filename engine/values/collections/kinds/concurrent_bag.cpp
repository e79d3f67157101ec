// SPDX-License-Identifier: MIT
#include "values/collections/kinds/collection_makers.h"

#include <fmt/format.h>

#include "base/limits.h"
#include "values/managed_array.h"

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

}  // namespace heapscape::engine
