// SPDX-License-Identifier: MIT
#include "heap/object_types.h"

#include <tbb/parallel_for.h>

#include "heap/segment_objects.h"

namespace heapscape::engine {

LargeArray<std::uint32_t> readObjectTypes(const AddressSpace& memory, const std::vector<Segment>& segments,
                                          const WalkedHeap& heap) {
  LargeArray<std::uint32_t> types(heap.index.objectCount());
  tbb::parallel_for(std::size_t{0}, segments.size(), [&](std::size_t i) {
    const SegmentId id{static_cast<std::uint32_t>(i)};
    const SegmentObjects objects(memory, heap.index, heap.types, id, segments[i]);
    std::uint32_t object = heap.index.objectsOf(id).first.value;
    heap.index.forEachStart(id, segments[i].objects, [&](Address address) {
      ObjectFacts facts;
      types[object++] = objects.tryRead(address, facts) ? facts.type.value : TypeId::kNone;
      return true;
    });
  });
  return types;
}

}  // namespace heapscape::engine
