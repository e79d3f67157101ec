// SPDX-License-Identifier: MIT
#pragma once

#include "heap/walk_types.h"
#include "heap/walk_unit.h"
#include "memory/address_space.h"

namespace heapscape::engine {

/// What an address looks like if it is taken for an object.
struct ObjectCandidate {
  const TypeIndex::Slot* type = nullptr;
  std::uint32_t components = 0;
  std::uint64_t alignedBytes = 0;
};

/// Tells objects from other bytes by what follows them. Every read is checked.
class ObjectChain {
 public:
  ObjectChain(const AddressSpace& memory, WalkTypes& types) : m_memory(memory), m_types(types) {}

  /// False if no object of the unit can begin there.
  bool tryObject(const WalkUnit& unit, Address address, ObjectCandidate& candidate) const;
  /// Whether eight objects follow each other from an address on, or fewer with which the unit ends.
  bool beginsAt(const WalkUnit& unit, Address address) const;
  /// Whether objects follow each other from one address on right up to another.
  bool reaches(const WalkUnit& unit, Address from, Address to) const;
  /// Whether objects follow each other from one address on, one of them lies over another address, and it goes on
  /// behind that.
  bool crosses(const WalkUnit& unit, Address from, Address over) const;
  /// Where the walk goes on from an address at which a gap of an allocation context begins; the address itself if none
  /// does, or if the context was full and the GC has already made a free object of its slack.
  Address skipGaps(const WalkUnit& unit, Address address) const;

 private:
  /// Like tryObject, where an object's padding is in front of it. Among the addresses of method tables, which a runtime
  /// keeps in arrays of its own, there is none.
  bool tryPadded(const WalkUnit& unit, Address address, ObjectCandidate& candidate) const;

  const AddressSpace& m_memory;
  WalkTypes& m_types;
};

}  // namespace heapscape::engine
