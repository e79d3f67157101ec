// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/bounded_reader.h"
#include "base/large_array.h"
#include "graph/mostly_small.h"

namespace heapscape::engine {

/// How many bytes each vertex of the dominator tree retains, by number. Where all that can be reached is less than
/// 32 GB, in 2 bytes a vertex, and 4 more for those that retain half a megabyte; else in 8. Aligned sizes, so that 8
/// bytes are one.
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
    if (m_wide.size()) return __builtin_prefetch(&m_wide[number]);
    m_narrow.prefetch(number);
  }
  std::uint64_t memoryBytes() const { return m_narrow.memoryBytes() + m_wide.memoryBytes(); }
  std::size_t size() const { return m_wide.size() ? m_wide.size() : m_narrow.size(); }
  /// As they are kept: so many bytes for each, whichever it is.
  Bytes stored() const { return m_wide.size() ? std::as_bytes(m_wide.elements()) : std::as_bytes(m_narrow.small()); }
  /// The units of those that retain more than what is stored of them can say.
  std::vector<MostlySmall<std::uint16_t>::Large> large() const { return m_narrow.large(); }

 private:
  // One of the two is empty.
  MostlySmall<std::uint16_t> m_narrow;
  LargeArray<std::uint64_t> m_wide;
};

}  // namespace heapscape::engine
