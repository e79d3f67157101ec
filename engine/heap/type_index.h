// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/address.h"
#include "base/ids.h"
#include "heap/object_head.h"

namespace heapscape::engine {

/// Figures that the size of an object follows from.
struct ObjectShape {
  std::uint32_t baseSize = 0;
  std::uint32_t componentSize = 0;
  bool isFree = false;
  bool neverLooksLikeObjects = false;  // what it holds: a string, or an array of nothing but references
};

/// A set of method tables with their dense numbers: a flat hash, fast enough to ask for every object.
class TypeIndex {
 public:
  TypeIndex() : m_slots(kFirstCapacity) {}

  /// Kept while the table grows: numbers are given in the order of insertion.
  TypeId insert(Address methodTable, ObjectShape shape) {
    if (2 * (m_types.size() + 1) > m_slots.size()) grow();
    const auto number = static_cast<std::uint32_t>(m_types.size());
    m_types.push_back({methodTable, shape});
    place(methodTable, shape, number);
    return {number};
  }

  // Aligned so that no slot lies across two cache lines.
  struct alignas(32) Slot {
    std::uint64_t methodTable = 0;  // 0: empty
    std::uint32_t baseSize = 0;
    std::uint16_t componentSize = 0;
    std::uint16_t freeMask = 0;  // all ones for the runtime's free object type
    std::uint32_t type = 0;
    std::uint32_t swallowingBits = 0;  // of a length: each alone is worth an object or more; 0 without components
    bool neverLooksLikeObjects = false;
  };

  /// Null if the method table is not in the set. What it leads to stays as it is while the table grows: others are met
  /// while an object is still held against its own.
  const Slot* find(std::uint64_t methodTable) const {
    for (std::size_t i = hashOf(methodTable);; i = (i + 1) & (m_slots.size() - 1)) {
      const Slot& slot = m_slots[i];
      if (slot.methodTable == methodTable) [[likely]]
        return methodTable ? &slot : nullptr;
      if (slot.methodTable == 0) return nullptr;
    }
  }

  std::size_t size() const { return m_types.size(); }
  Address methodTable(TypeId type) const { return m_types[type.value].methodTable; }
  const ObjectShape& shape(TypeId type) const { return m_types[type.value].shape; }

 private:
  static constexpr std::size_t kFirstCapacity = 1 << 12;

  struct Type {
    Address methodTable;
    ObjectShape shape;
  };

  std::size_t hashOf(std::uint64_t methodTable) const {
    return static_cast<std::size_t>(methodTable * 0x9E3779B97F4A7C15ull >> m_shift);
  }

  void place(Address methodTable, const ObjectShape& shape, std::uint32_t number) {
    std::size_t i = hashOf(methodTable.value);
    while (m_slots[i].methodTable) i = (i + 1) & (m_slots.size() - 1);
    m_slots[i] = {methodTable.value,
                  shape.baseSize,
                  static_cast<std::uint16_t>(shape.componentSize),
                  static_cast<std::uint16_t>(shape.isFree ? 0xffff : 0),
                  number,
                  swallowingBitsOf(shape),
                  shape.neverLooksLikeObjects};
  }

  // What lies in free blocks is old objects, so that nothing in there tells of their length.
  static std::uint32_t swallowingBitsOf(const ObjectShape& shape) {
    if (shape.isFree || shape.componentSize == 0) return 0;
    std::uint32_t bits = ~0u;
    while ((std::uint64_t{shape.componentSize} * (bits & -bits)) < kMinimumObjectBytes) bits <<= 1;
    return bits;
  }

  void grow() {
    const std::size_t capacity = 2 * m_slots.size();
    m_outgrown.push_back(std::move(m_slots));
    m_slots = std::vector<Slot>(capacity);
    --m_shift;
    for (std::size_t i = 0; i < m_types.size(); ++i)
      place(m_types[i].methodTable, m_types[i].shape, static_cast<std::uint32_t>(i));
  }

  std::vector<Slot> m_slots;                  // a power of two
  std::vector<std::vector<Slot>> m_outgrown;  // those before, together as many
  int m_shift = 64 - std::countr_zero(kFirstCapacity);
  std::vector<Type> m_types;
};

/// Exact size in bytes of an object, as the runtime computes it (never below the minimum object).
inline std::uint64_t objectSize(std::uint32_t baseSize, std::uint32_t componentSize, std::uint32_t components) {
  const std::uint64_t size = baseSize + std::uint64_t{componentSize} * components;
  return size < kMinimumObjectBytes ? kMinimumObjectBytes : size;
}

}  // namespace heapscape::engine
