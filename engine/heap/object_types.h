// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "base/large_array.h"
#include "heap/object_walk.h"
#include "memory/address_space.h"

namespace heapscape::engine {

/// The TypeId of every object, by ObjectId, read on all cores. Objects that cannot be read any more have none.
LargeArray<std::uint32_t> readObjectTypes(const AddressSpace& memory, const std::vector<Segment>& segments,
                                          const WalkedHeap& heap);

/// The same in 2 bytes an object where there are few enough types.
class ObjectTypes {
 public:
  ObjectTypes(const AddressSpace& memory, const std::vector<Segment>& segments, const WalkedHeap& heap);

  /// TypeId::kNone for an object that cannot be read any more.
  std::uint32_t operator[](std::uint32_t object) const {
    if (m_isWide) return m_wide[object];
    return m_narrow[object] == kNarrowNone ? TypeId::kNone : m_narrow[object];
  }
  std::uint32_t size() const { return static_cast<std::uint32_t>(m_isWide ? m_wide.size() : m_narrow.size()); }

 private:
  static constexpr std::uint16_t kNarrowNone = 0xffff;

  bool m_isWide;
  LargeArray<std::uint16_t> m_narrow;
  LargeArray<std::uint32_t> m_wide;
};

}  // namespace heapscape::engine
