// SPDX-License-Identifier: MIT
#pragma once

#include "graph/edge.h"
#include "graph/type_references.h"
#include "heap/segment_objects.h"

namespace heapscape::engine {

/// Reads what the objects of one segment refer to.
class ObjectReferences {
 public:
  ObjectReferences(const AddressSpace& memory, const SegmentObjects& objects, const TypeReferences& types)
      : m_memory(memory), m_objects(objects), m_types(types) {}

  /// Calls visit(Edge) for every reference in the object that is not null, by offset, then for its loader allocator.
  /// A place that the dump does not hold is left out. Whether the target is an object is not checked.
  template <class Visit>
  void forEach(const ObjectFacts& facts, Visit visit) const {
    const GcDesc& places = m_types.placesOf(facts.type);
    if (!places.isEmpty()) {
      const Bytes bytes = m_objects.bytesOf(facts);
      const EdgeKind kind = m_types.isArray(facts.type) ? EdgeKind::Element : EdgeKind::Field;
      places.forEachPlace(facts.alignedBytes(), [&](std::uint64_t offset) {
        Address target;
        const bool isRead =
            bytes.empty() ? m_memory.tryRead(facts.address + offset, target) : tryReadAt(bytes, offset, target);
        if (isRead && target) visit(Edge{facts.address, target, kind, offset});
      });
    }
    if (const Address allocator = m_types.loaderAllocator(facts.type))
      visit(Edge{facts.address, allocator, EdgeKind::Loader, 0});
  }

 private:
  const AddressSpace& m_memory;
  const SegmentObjects& m_objects;
  const TypeReferences& m_types;
};

}  // namespace heapscape::engine
