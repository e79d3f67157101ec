// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "base/bounded_reader.h"
#include "base/large_array.h"
#include "graph/mostly_small.h"

namespace heapscape::engine {

/// How many bytes each vertex of the dominator tree retains, by number. Where all that can be reached is less than
/// 32 GB, in 2 bytes a vertex, and more for the few that retain half a megabyte, or in 4 where they are not few; else
/// in 8. Aligned sizes, so that 8 bytes are one.
class RetainedBytes {
 public:
  static constexpr std::uint64_t kUnitBytes = 8;

  RetainedBytes() = default;
  explicit RetainedBytes(MostlySmall<std::uint16_t> units) : m_narrow(std::move(units)) {}
  explicit RetainedBytes(LargeArray<std::uint64_t> units) : m_wide(std::move(units)) {}

  [[gnu::always_inline]] std::uint64_t operator[](std::size_t number) const {
    return kUnitBytes * (m_wide.size() ? m_wide[number] : m_narrow[number]);
  }
  [[gnu::always_inline]] void prefetch(std::size_t number) const {
    __builtin_prefetch(m_wide.size() ? static_cast<const void*>(&m_wide[number]) : m_narrow.placeOf(number));
  }
  std::uint64_t memoryBytes() const { return m_narrow.memoryBytes() + m_wide.memoryBytes(); }
  std::size_t size() const { return m_wide.size() ? m_wide.size() : m_narrow.size(); }
  /// As they are kept: so many bytes for each, whichever it is.
  Bytes stored() const { return m_wide.size() ? std::as_bytes(m_wide.elements()) : m_narrow.stored(); }
  /// The units of those that retain more than what is stored of them can say.
  std::span<const MostlySmall<std::uint16_t>::Large> large() const { return m_narrow.large(); }

 private:
  // One of the two is empty.
  MostlySmall<std::uint16_t> m_narrow;
  LargeArray<std::uint64_t> m_wide;
};

}  // namespace heapscape::engine
