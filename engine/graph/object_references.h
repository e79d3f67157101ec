// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "base/finding.h"
#include "base/ids.h"
#include "graph/edge.h"
#include "graph/edge_rows.h"
#include "graph/gc_desc.h"
#include "heap/object_walk.h"
#include "heap/segment_objects.h"
#include "runtime/clr_runtime.h"
#include "runtime/runtime_readers.h"

namespace heapscape::engine {

/// The secondary objects that dependent handles keep alive as long as their keys: by address of the key.
using DependentEdges = std::unordered_multimap<Address, Address>;

DependentEdges readDependentEdges(const ClrRuntime& runtime, FindingList& findings);

/// References that were recorded, by the numbers of objects.
struct RecordedReferences {
  const ObjectIndex& index;
  EdgeRows edges;
};

/// Places of the references of every object of a type, and the loader allocator of a collectible type.
class TypeReferences {
 public:
  /// For all types of the heap. A type whose description cannot be read has no references and a finding.
  TypeReferences(const RuntimeReaders& readers, const WalkedHeap& heap);
  /// Of a heap of which the references alone are known, and not where in the objects they are. `isArray`: by TypeId.
  /// What `references` refers to outlives this.
  TypeReferences(std::vector<bool> isArray, const RecordedReferences& references);

  /// Null where references are read from memory.
  const RecordedReferences* recorded() const { return m_recorded ? &*m_recorded : nullptr; }
  const GcDesc& placesOf(TypeId type) const { return m_places[type.value]; }
  /// The managed object that keeps a collectible type loaded; null for all others.
  Address loaderAllocator(TypeId type) const { return m_loaderAllocators[type.value]; }
  bool isArray(TypeId type) const { return m_isArray[type.value]; }
  bool hasNone(TypeId type) const { return m_hasNone[type.value]; }
  /// Whether all its objects have their references at the same places and nothing else: fixedPlaces() then.
  [[gnu::always_inline]] bool isFixed(TypeId type) const { return m_fixed[type.value].count != FixedPlaces::kVarying; }
  /// Bytes from the object's address, ascending; within the object.
  [[gnu::always_inline]] std::span<const std::uint32_t> fixedPlaces(TypeId type) const {
    const FixedPlaces& places = m_fixed[type.value];
    return {m_fixedOffsets.data() + places.first, places.count};
  }
  const FindingList& findings() const { return m_findings; }

 private:
  /// Some of m_fixedOffsets.
  struct FixedPlaces {
    static constexpr std::uint32_t kVarying = ~0u;
    std::uint32_t first = 0;
    std::uint32_t count = 0;
  };

  FixedPlaces fix(TypeId type, const ObjectShape& shape);

  // All by TypeId.
  std::vector<GcDesc> m_places;
  std::vector<Address> m_loaderAllocators;
  std::vector<bool> m_isArray;
  std::vector<std::uint8_t> m_hasNone;  // asked for each object
  std::vector<FixedPlaces> m_fixed;     // asked for each object, too
  std::vector<std::uint32_t> m_fixedOffsets;
  FindingList m_findings;
  std::optional<RecordedReferences> m_recorded;
};

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
    if (const RecordedReferences* recorded = m_types.recorded()) {
      const ObjectId object = recorded->index.idOf(facts.address);
      if (object.isNone()) return;
      for (const std::uint32_t target : recorded->edges.targetsOf(object.value))
        visit(Edge{facts.address, recorded->index.addressOf({target}), EdgeKind::Recorded, 0});
      return;
    }
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
