// SPDX-License-Identifier: MIT
#include "values/collections/kinds/collection_makers.h"

#include <fmt/format.h>

#include "base/limits.h"
#include "values/collections/node_chain.h"
#include "values/managed_array.h"

namespace heapscape::engine {
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
