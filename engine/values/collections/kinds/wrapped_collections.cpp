// SPDX-License-Identifier: MIT
#include "values/collections/kinds/collection_makers.h"

#include <fmt/format.h>

#include "base/limits.h"
#include "values/collections/collection.h"
#include "values/collections/kinds/collection_kinds.h"
#include "values/collections/node_chain.h"
#include "values/instance.h"

namespace heapscape::engine {
namespace {

class WrappedItems : public Collection {
 public:
  WrappedItems(CollectionFacts facts, std::unique_ptr<Collection> inside)
      : Collection(std::move(facts)), m_inside(std::move(inside)) {}

  std::string collect(ItemCollector& items) const override { return m_inside->collect(items); }
  std::uint64_t itemsBefore(Address place) const override { return m_inside->itemsBefore(place); }
  std::optional<ItemPlace> itemIn(Address node) const override { return m_inside->itemIn(node); }

 private:
  std::unique_ptr<Collection> m_inside;
};

Result<std::unique_ptr<Collection>> openInside(const Instance& wrapper, std::string_view field) {
  HEAPSCAPE_TRY(const Instance inside, wrapper.follow(field));
  const auto recognised = recogniseCollection(inside);
  // What wraps something itself might lead back here.
  const CollectionMaker make = recognised ? recognised->kind->make : nullptr;
  if (!make || make == makeChannel || make == makeBlockingCollection)
    return failure(ErrorCode::NotFound, fmt::format("{} is no known collection.", inside.shape().name));
  return openCollection(*recognised);
}

/// The items are the priorities of a PriorityQueue, in the order of its heap.
Result<std::unique_ptr<Collection>> openPriorities(const Instance& channel) {
  HEAPSCAPE_TRY(const Instance queue, channel.follow("_items"));
  HEAPSCAPE_TRY(const ManagedArray nodes, readArray(queue, "_nodes"));
  HEAPSCAPE_TRY(CollectionFacts facts, itemFacts(channel));
  HEAPSCAPE_TRY(facts.count, queue.count("_size"));
  IndexedStorage storage{.values = nodes.data, .valueStride = nodes.elementSize, .slots = nodes.count};
  if (nodes.elementType) {
    HEAPSCAPE_TRY(const Instance pair, nodes.elementShape(channel.sources()));
    HEAPSCAPE_TRY(const std::uint32_t priority, pair.offsetOf("Item2"));
    storage.values += priority;
  }
  return std::make_unique<IndexedItems>(std::move(facts), storage);
}

/// Slots [first, last) of a ring.
Result<SlotRing> readRing(const Instance& segment) {
  SlotRing ring;
  HEAPSCAPE_TRY(ring.slots, readArray(segment, "_array"));
  HEAPSCAPE_TRY(const Instance state, segment.inner("_state"));
  HEAPSCAPE_TRY(ring.first, state.count("_first"));
  HEAPSCAPE_TRY(const std::uint32_t last, state.count("_last"));
  if (ring.first >= ring.slots.count || last >= ring.slots.count) {
    return failure(ErrorCode::Damaged, fmt::format("The segment at {} claims slots beyond its {}.",
                                                   toString(segment.object()), ring.slots.count));
  }
  ring.count = (last + ring.slots.count - ring.first) % ring.slots.count;
  return ring;
}

}  // namespace

Result<std::unique_ptr<Collection>> makeSingleReaderQueue(const Instance& queue) {
  HEAPSCAPE_TRY(CollectionFacts facts, itemFacts(queue));
  std::vector<SlotRing> rings;
  CycleWatch watch;
  HEAPSCAPE_TRY(Address at, queue.reference("_head"));
  while (at) {
    if (watch.isRepeated(at) || rings.size() == kLimits.queueSegments) {
      facts.damage = fmt::format("The segments form a circle that {} belongs to.", toString(at));
      break;
    }
    HEAPSCAPE_TRY(const Instance segment, Instance::at(queue.sources(), at));
    HEAPSCAPE_TRY(const SlotRing ring, readRing(segment));
    rings.push_back(ring);
    HEAPSCAPE_TRY(at, segment.reference("_next"));
  }
  return overRings(std::move(facts), std::move(rings));
}

Result<std::unique_ptr<Collection>> makeChannel(const Instance& channel) {
  HEAPSCAPE_TRY(CollectionFacts facts, itemFacts(channel));
  HEAPSCAPE_TRY(const Address done, channel.reference("_doneWriting"));
  facts.state = done ? "completed" : "open";
  if (const auto capacity = channel.count("_bufferedCapacity")) facts.capacity = *capacity;
  if (!channel.field("_items"))  // what is written waits for its reader, and is kept by the writer
    return std::make_unique<FewItems>(std::move(facts), std::vector<ItemPlace>{});
  auto inside = openInside(channel, "_items");
  if (inside && (*inside)->facts().hasKeys) inside = openPriorities(channel);
  if (!inside) return tl::unexpected(inside.error());
  facts.count = (*inside)->facts().count;
  facts.isEndless = (*inside)->facts().isEndless;
  facts.damage = (*inside)->facts().damage;
  return std::make_unique<WrappedItems>(std::move(facts), std::move(*inside));
}

Result<std::unique_ptr<Collection>> makeBlockingCollection(const Instance& collection) {
  constexpr std::uint32_t kAddingCompleted = 0x80000000;  // COMPLETE_ADDING_ON_MASK of BlockingCollection.cs
  HEAPSCAPE_TRY(CollectionFacts facts, itemFacts(collection));
  HEAPSCAPE_TRY(const auto adders, collection.number<std::uint32_t>("_currentAdders"));
  HEAPSCAPE_TRY(const auto bound, collection.number<std::int32_t>("_boundedCapacity"));
  HEAPSCAPE_TRY(auto inside, openInside(collection, "_collection"));
  facts.state = adders & kAddingCompleted ? "adding completed" : "open";
  if (bound > 0) facts.capacity = static_cast<std::uint64_t>(bound);
  facts.labels = inside->facts().labels;
  facts.count = inside->facts().count;
  facts.isEndless = inside->facts().isEndless;
  facts.damage = inside->facts().damage;
  return std::make_unique<WrappedItems>(std::move(facts), std::move(inside));
}

}  // namespace heapscape::engine
