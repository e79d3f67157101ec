// SPDX-License-Identifier: MIT
#pragma once

#include <cstring>
#include <optional>
#include <vector>

#include "heap/object_head.h"
#include "heap/object_index.h"
#include "heap/type_index.h"
#include "memory/address_space.h"

namespace heapscape::engine {

/// Type and size of one object.
struct ObjectFacts {
  Address address;
  TypeId type;
  std::uint64_t sizeBytes = 0;   // exact
  std::uint32_t components = 0;  // array elements or characters; 0 for others
  std::uint64_t alignedBytes() const { return alignUp(sizeBytes, 8); }
};

/// Reads the objects of one segment again, after the walk has found them.
class SegmentObjects {
 public:
  SegmentObjects(const AddressSpace& memory, const ObjectIndex& index, const TypeIndex& types, SegmentId id,
                 const Segment& segment)
      : m_memory(memory), m_index(index), m_types(types), m_id(id), m_range(segment.objects) {
    if (auto view = memory.view(m_range)) m_view = std::move(*view);
  }

  /// False only for an object whose head the dump does not hold. Objects that were recorded have no components.
  // Always inline: of the copies in all units the linker might take one that was compiled to be compiled quickly.
  [[gnu::always_inline]] bool tryRead(Address address, ObjectFacts& facts) const {
    Head head;
    if (m_view.bytes.empty()) [[unlikely]] {
      if (m_index.recorded()) return tryReadRecorded(address, facts);
      const std::optional<Head> pieces = headInPieces(address);
      if (!pieces) return false;
      head = *pieces;
    } else {
      const std::byte* from = m_view.bytes.data() + (address - m_range.start);
      std::memcpy(&head.methodTable, from, sizeof head.methodTable);
      std::memcpy(&head.components, from + 8, sizeof head.components);
    }
    const TypeIndex::Slot* slot = m_types.find(head.methodTable & kMethodTableMask);
    if (!slot) return false;
    facts = {address,
             {slot->type},
             objectSize(slot->baseSize, slot->componentSize, head.components),
             slot->componentSize ? head.components : 0};
    return true;
  }

  /// Reads an object whose type is known, without looking for it.
  bool tryReadAs(TypeId type, const ObjectShape& shape, Address address, ObjectFacts& facts) const {
    if (m_view.bytes.empty() && m_index.recorded()) return tryReadRecorded(address, facts);
    std::uint32_t components = 0;
    if (shape.componentSize) {
      if (m_view.bytes.empty()) {
        if (!m_memory.tryRead(address + 8, components)) return false;
      } else {
        std::memcpy(&components, m_view.bytes.data() + (address - m_range.start) + 8, sizeof components);
      }
    }
    facts = {address, type, objectSize(shape.baseSize, shape.componentSize, components), components};
    return true;
  }

  /// The first of an object's `alignedBytes`; null if the dump does not hold the whole segment.
  [[gnu::always_inline]] const std::byte* wholeObject(const ObjectFacts& facts) const {
    const std::uint64_t offset = facts.address - m_range.start;
    if (facts.alignedBytes() > m_view.bytes.size() || offset > m_view.bytes.size() - facts.alignedBytes())
      return nullptr;
    return m_view.bytes.data() + offset;
  }
  /// An object's bytes from its address on, `alignedBytes` of them; empty if the dump does not hold the whole segment.
  Bytes bytesOf(const ObjectFacts& facts) const {
    Bytes bytes;
    trySlice(m_view.bytes, facts.address - m_range.start, facts.alignedBytes(), bytes);
    return bytes;
  }

  /// Calls visit(ObjectFacts) for the objects that start in `range`, in address order, until it returns false.
  template <class Visit>
  bool forEach(AddressRange range, Visit visit) const {
    return m_index.forEachStart(m_id, range, [&](Address address) {
      ObjectFacts facts;
      return !tryRead(address, facts) || visit(facts);
    });
  }

 private:
  struct Head {
    std::uint64_t methodTable;
    std::uint32_t components;
  };
  [[gnu::noinline]] bool tryReadRecorded(Address address, ObjectFacts& facts) const {
    const ObjectId id = m_index.idOf(address);
    if (id.isNone()) return false;
    const RecordedObjects& objects = *m_index.recorded();
    facts = {address, {objects.types[id.value]}, objects.sizes[id.value], 0};
    return true;
  }
  // Apart, so that what all others read stays in registers.
  [[gnu::noinline]] std::optional<Head> headInPieces(Address address) const {
    Head head{};
    if (!m_memory.tryRead(address, head.methodTable) || !m_memory.tryRead(address + 8, head.components)) return {};
    return head;
  }

  const AddressSpace& m_memory;
  const ObjectIndex& m_index;
  const TypeIndex& m_types;
  SegmentId m_id;
  AddressRange m_range;
  MemoryView m_view;  // empty if the dump does not hold the whole segment
};

/// The objects of all segments; index: SegmentId.
inline std::vector<SegmentObjects> objectsOfAll(const AddressSpace& memory, const ObjectIndex& index,
                                                const TypeIndex& types, const std::vector<Segment>& segments) {
  std::vector<SegmentObjects> all;
  all.reserve(segments.size());
  for (std::uint32_t i = 0; i < segments.size(); ++i) all.emplace_back(memory, index, types, SegmentId{i}, segments[i]);
  return all;
}

}  // namespace heapscape::engine
