// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "query/query_value.h"

namespace heapscape::engine {

/// What a value is sorted by, in 16 bytes: of millions of them no one is a QueryValue. Ordered as isBefore() orders
/// values, but that texts are told apart by their first bytes only.
class SortKey {
 public:
  SortKey() = default;  // of what is absent

  bool isThere() const { return m_high >> kRankShift > kNull; }
  friend bool isBefore(const SortKey& left, const SortKey& right) {
    if (left.m_high != right.m_high) return left.m_high < right.m_high;
    return left.m_high >> kRankShift == kText ? left.text() < right.text() : left.m_low < right.m_low;
  }

 private:
  friend class SortKeys;
  enum Rank : std::uint64_t { kAbsent, kNull, kFlag, kNumber, kText };
  static constexpr int kRankShift = 61;

  std::string_view text() const;

  std::uint64_t m_high = 0;  // the rank, then the first bytes of a text or what weighs most in a number
  std::uint64_t m_low = 0;   // the rest of a number, or where the text is
};

/// Makes keys, and keeps the texts that they refer to. For one thread.
class SortKeys {
 public:
  static constexpr std::size_t kLongestText = 256;  // bytes that texts are told apart by

  SortKey keyOf(const QueryValue& value);

 private:
  static SortKey ofNumber(long double number);
  SortKey ofText(std::string_view text);

  static constexpr std::size_t kBlockBytes = 1 << 20;
  std::vector<std::unique_ptr<char[]>> m_blocks;
  std::size_t m_left = 0;  // bytes of the last one
};

}  // namespace heapscape::engine
