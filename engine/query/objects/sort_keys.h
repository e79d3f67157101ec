// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "query/objects/text_store.h"
#include "query/query_value.h"

namespace heapscape::engine {

/// What a value is sorted by, in 16 bytes: of millions of them no one is a QueryValue. Ordered as isBefore() orders
/// values, but that texts are told apart by their first bytes only. A key is compared part by part: a later one counts
/// only where all before it are the same.
class SortKey {
 public:
  SortKey() = default;  // of what is absent

  bool isThere() const { return m_high >> kRankShift > kNull; }
  /// Tells what is absent, null, a flag, a number and a text apart, too.
  std::uint64_t firstPart() const { return m_high; }
  /// What later parts are made of.
  std::uint64_t rest() const { return m_low; }
  /// A part behind the first one, of a key that goes on there.
  static std::uint64_t laterPart(std::uint64_t firstPart, std::uint64_t rest, std::size_t number) {
    return firstPart >> kRankShift == kText ? partOf(textAt(rest), number) : rest;
  }
  /// Whether keys that are the same up to a part of theirs may still differ behind it.
  static bool goesOn(std::uint64_t firstPart, std::uint64_t part, std::size_t number) {
    const std::uint64_t rank = firstPart >> kRankShift;
    return rank == kText ? (part & kCountMask) > kBytesInPart : rank == kNumber && number == 0;
  }
  /// A first part as a number that is the smaller the earlier it comes; what is absent or null comes last, whichever
  /// way it is sorted. And back again, of what is there.
  static std::uint64_t inOrder(std::uint64_t firstPart, bool descending) {
    const std::uint64_t rank = firstPart >> kRankShift;
    if (rank <= kNull) return std::uint64_t{descending == (rank == kNull) ? 6u : 7u} << kRankShift;
    return descending ? kEnd - firstPart : firstPart;
  }
  static std::uint64_t fromOrder(std::uint64_t number, bool descending) {
    if (number >= kEnd) return 0;
    return descending ? kEnd - number : number;
  }
  friend bool isBefore(const SortKey& left, const SortKey& right);
  /// Whether neither is before the other.
  friend bool areSame(const SortKey& one, const SortKey& other);

 private:
  friend class SortKeys;
  enum Rank : std::uint64_t { kAbsent, kNull, kFlag, kNumber, kText };
  static constexpr int kRankShift = 61;
  static constexpr std::uint64_t kEnd = (std::uint64_t{kText} + 1) << kRankShift;  // behind all that is there
  static constexpr std::size_t kBytesInPart = 7;
  static constexpr int kCountBits = 4;
  static constexpr std::uint64_t kCountMask = (1 << kCountBits) - 1;

  /// Bytes of a text, and behind them how many they are: one more where the text goes on.
  static std::uint64_t partOf(std::string_view text, std::size_t number);
  static std::string_view textAt(std::uint64_t rest);

  std::uint64_t m_high = 0;  // the rank, then a text's first part, a flag, or what weighs most in a number
  std::uint64_t m_low = 0;   // the rest of a number, or where the text is
};

/// Makes keys, and keeps the texts that they refer to. For one thread.
class SortKeys {
 public:
  static constexpr std::size_t kLongestText = 256;  // bytes that texts are told apart by

  SortKey keyOf(const QueryValue& value);
  SortKey keyOf(std::string_view text);

 private:
  static SortKey ofNumber(long double number);
  SortKey ofText(std::string_view text);

  TextStore m_texts;
};

}  // namespace heapscape::engine
