// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/finding.h"
#include "base/ids.h"
#include "graph/gc_desc.h"
#include "heap/object_walk.h"
#include "runtime/runtime_readers.h"

namespace heapscape::engine {

/// What every object of a type refers to: the places of its references, and the loader allocator of a collectible type.
class TypeReferences {
 public:
  /// For all types of the heap. A type whose description cannot be read has no references and a finding.
  TypeReferences(const RuntimeReaders& readers, const WalkedHeap& heap);

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
};

}  // namespace heapscape::engine
