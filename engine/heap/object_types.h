// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "base/large_array.h"
#include "heap/object_walk.h"
#include "memory/address_space.h"

namespace heapscape::engine {

/// The TypeId of every object, by ObjectId: 2 bytes an object where there are few enough types. Objects that cannot be
/// read any more have none.
class ObjectTypes {
 public:
  /// Reads them on all cores.
  ObjectTypes(const AddressSpace& memory, const std::vector<Segment>& segments, const WalkedHeap& heap);
  /// Types of so many objects, to be set one by one.
  ObjectTypes(std::uint32_t objects, std::size_t typeCount);
  /// From any thread, but for each object from one.
  [[gnu::always_inline]] void set(std::uint32_t object, TypeId type) {
    if (m_isWide) {
      m_wide[object] = type.value;
    } else {
      m_narrow[object] = static_cast<std::uint16_t>(type.value);  // none becomes kNarrowNone
    }
  }

  /// TypeId::kNone for an object that cannot be read any more.
  [[gnu::always_inline]] std::uint32_t operator[](std::uint32_t object) const {
    if (m_isWide) return m_wide[object];
    return m_narrow[object] == kNarrowNone ? TypeId::kNone : m_narrow[object];
  }
  [[gnu::always_inline]] void prefetch(std::uint32_t object) const {
    __builtin_prefetch(m_isWide ? static_cast<const void*>(&m_wide[object]) : &m_narrow[object]);
  }
  std::uint32_t size() const { return static_cast<std::uint32_t>(m_isWide ? m_wide.size() : m_narrow.size()); }

 private:
  static constexpr std::uint16_t kNarrowNone = 0xffff;

  bool m_isWide;
  LargeArray<std::uint16_t> m_narrow;
  LargeArray<std::uint32_t> m_wide;
};

}  // namespace heapscape::engine
