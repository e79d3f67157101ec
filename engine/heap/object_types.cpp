// SPDX-License-Identifier: MIT
#include "heap/object_types.h"

#include <tbb/parallel_for.h>

#include "heap/segment_objects.h"

namespace heapscape::engine {

ObjectTypes::ObjectTypes(std::uint32_t objects, std::size_t typeCount) : m_isWide(typeCount >= kNarrowNone) {
  if (m_isWide) {
    m_wide = LargeArray<std::uint32_t>(objects);
  } else {
    m_narrow = LargeArray<std::uint16_t>(objects);
  }
}

ObjectTypes::ObjectTypes(const AddressSpace& memory, const std::vector<Segment>& segments, const WalkedHeap& heap)
    : ObjectTypes(heap.index.objectCount(), heap.types.size()) {
  tbb::parallel_for(std::size_t{0}, segments.size(), [&](std::size_t i) {
    const SegmentId id{static_cast<std::uint32_t>(i)};
    const SegmentObjects objects(memory, heap.index, heap.types, id, segments[i]);
    std::uint32_t object = heap.index.objectsOf(id).first.value;
    heap.index.forEachStart(id, segments[i].objects, [&](Address address) {
      ObjectFacts facts;
      set(object++, objects.tryRead(address, facts) ? facts.type : TypeId());
      return true;
    });
  });
}

}  // namespace heapscape::engine
