// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
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
  const FindingList& findings() const { return m_findings; }

 private:
  // All by TypeId.
  std::vector<GcDesc> m_places;
  std::vector<Address> m_loaderAllocators;
  std::vector<bool> m_isArray;
  std::vector<std::uint8_t> m_hasNone;  // asked for each object
  FindingList m_findings;
};

}  // namespace heapscape::engine
