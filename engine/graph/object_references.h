// SPDX-License-Identifier: MIT
#pragma once

#include <cstring>

#include "graph/dependent_edges.h"
#include "graph/edge.h"
#include "graph/type_references.h"
#include "heap/segment_objects.h"

namespace heapscape::engine {

/// Reads what the objects of one segment refer to.
class ObjectReferences {
 public:
  /// `dependents` may be null: then dependent handles are left out.
  ObjectReferences(const AddressSpace& memory, const SegmentObjects& objects, const TypeReferences& types,
                   const DependentEdges* dependents)
      : m_memory(memory), m_objects(objects), m_types(types), m_dependents(dependents) {}

  /// Calls visit(Edge) for every reference in the object that is not null, by offset, then for its loader allocator
  /// and for what dependent handles tie to it.
  /// A place that the dump does not hold is left out. Whether the target is an object is not checked.
  template <class Visit>
  void forEach(const ObjectFacts& facts, Visit visit) const {
    if (m_types.hasNone(facts.type) && !m_dependents) return;
    const GcDesc& places = m_types.placesOf(facts.type);
    if (!places.isEmpty()) {
      const EdgeKind kind = m_types.isArray(facts.type) ? EdgeKind::Element : EdgeKind::Field;
      const Bytes bytes = m_objects.bytesOf(facts);
      const auto visitPlaces = [&](auto tryRead) {
        places.forEachPlace(facts.alignedBytes(), [&](std::uint64_t offset) {
          Address target;
          if (tryRead(offset, target) && target) visit(Edge{facts.address, target, kind, offset});
        });
      };
      if (bytes.empty()) {
        visitPlaces(
            [&](std::uint64_t offset, Address& target) { return m_memory.tryRead(facts.address + offset, target); });
      } else {
        // Places lie within the object.
        visitPlaces([from = bytes.data()](std::uint64_t offset, Address& target) {
          std::memcpy(&target, from + offset, sizeof target);
          return true;
        });
      }
    }
    if (const Address allocator = m_types.loaderAllocator(facts.type))
      visit(Edge{facts.address, allocator, EdgeKind::Loader, 0});
    if (!m_dependents) return;
    const auto [first, last] = m_dependents->equal_range(facts.address);
    for (auto secondary = first; secondary != last; ++secondary)
      visit(Edge{facts.address, secondary->second, EdgeKind::Dependent, 0});
  }

 private:
  const AddressSpace& m_memory;
  const SegmentObjects& m_objects;
  const TypeReferences& m_types;
  const DependentEdges* m_dependents;
};

}  // namespace heapscape::engine
