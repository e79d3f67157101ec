// SPDX-License-Identifier: MIT
#include "heap/object_types.h"

#include <tbb/parallel_for.h>

#include "heap/segment_objects.h"

namespace heapscape::engine {

namespace {

/// Calls note(ObjectId, TypeId) for every object, on all cores.
template <class Note>
void noteObjectTypes(const AddressSpace& memory, const std::vector<Segment>& segments, const WalkedHeap& heap,
                     Note note) {
  tbb::parallel_for(std::size_t{0}, segments.size(), [&](std::size_t i) {
    const SegmentId id{static_cast<std::uint32_t>(i)};
    const SegmentObjects objects(memory, heap.index, heap.types, id, segments[i]);
    std::uint32_t object = heap.index.objectsOf(id).first.value;
    heap.index.forEachStart(id, segments[i].objects, [&](Address address) {
      ObjectFacts facts;
      note(object++, objects.tryRead(address, facts) ? facts.type.value : TypeId::kNone);
      return true;
    });
  });
}

}  // namespace

LargeArray<std::uint32_t> readObjectTypes(const AddressSpace& memory, const std::vector<Segment>& segments,
                                          const WalkedHeap& heap) {
  LargeArray<std::uint32_t> types(heap.index.objectCount());
  noteObjectTypes(memory, segments, heap, [&](std::uint32_t object, std::uint32_t type) { types[object] = type; });
  return types;
}

ObjectTypes::ObjectTypes(const AddressSpace& memory, const std::vector<Segment>& segments, const WalkedHeap& heap)
    : m_isWide(heap.types.size() >= kNarrowNone) {
  if (m_isWide) {
    m_wide = readObjectTypes(memory, segments, heap);
    return;
  }
  m_narrow = LargeArray<std::uint16_t>(heap.index.objectCount());
  noteObjectTypes(memory, segments, heap, [&](std::uint32_t object, std::uint32_t type) {
    m_narrow[object] = static_cast<std::uint16_t>(type);  // none becomes kNarrowNone
  });
}

}  // namespace heapscape::engine
