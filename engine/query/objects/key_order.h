// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <span>
#include <stop_token>
#include <string_view>
#include <utility>
#include <vector>

#include "base/large_array.h"
#include "query/query_value.h"

namespace heapscape::engine {

/// Keeps millions of short texts where they do not move, one behind the other. For one thread at a time.
class TextStore {
 public:
  /// Bytes to be written to; good as long as this is.
  char* roomFor(std::size_t bytes) {
    if (m_blocks.empty() || bytes > m_left) {
      m_left = std::max(bytes, kBlockBytes);
      m_next = m_blocks.emplace_back(m_left).data();
    }
    m_left -= bytes;
    return std::exchange(m_next, m_next + bytes);
  }
  std::string_view keep(std::string_view text) {
    char* const room = roomFor(text.size());
    std::memcpy(room, text.data(), text.size());
    return {room, text.size()};
  }

 private:
  static constexpr std::size_t kBlockBytes = 1 << 21;  // a huge page, since they are sorted later
  std::vector<LargeArray<char>> m_blocks;
  char* m_next = nullptr;
  std::size_t m_left = 0;  // bytes of the last one
};

/// A key that a value is sorted by, in 16 bytes: of millions of them no one is a QueryValue. Ordered as isBefore()
/// orders values, but that texts are told apart by their first bytes only. A key is compared part by part: a later one
/// counts only where all before it are the same.
class SortKey {
 public:
  SortKey() = default;  // of what is absent

  bool isThere() const { return m_high >> kRankShift > kNull; }
  /// Tells what is absent, null, a flag, a number and a text apart, too.
  std::uint64_t firstPart() const { return m_high; }
  /// The 8 bytes that later parts are made of.
  std::uint64_t rest() const { return m_low; }
  /// The text that a key was made of; good as long as its maker is.
  std::string_view text() const { return textAt(m_low); }
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

  TextStore m_texts;
};

/// The places of the `limit` smallest numbers in order, on all cores; those that are equal in the order in which they
/// are given. Of what has no number it is UINT64_MAX. `onProgress` hears which share is done. What it gives means
/// nothing if it was stopped.
std::vector<std::uint32_t> placesInOrder(LargeArray<std::uint64_t> numbers, std::size_t limit,
                                         const std::function<void(double)>& onProgress, const std::stop_token& stop);

/// Ids (ascending) in the order of the numbers that stand at their places, as placesInOrder() has it.
std::vector<std::uint32_t> idsInOrder(LargeArray<std::uint64_t> numbers, std::span<const std::uint32_t> ids,
                                      std::size_t limit, const std::function<void(double)>& onProgress,
                                      const std::stop_token& stop);

/// One of many that are put in order.
struct KeyedPlace {
  std::uint64_t part = 0;   // of its key, the one that it is being sorted by
  std::uint64_t rest = 0;   // of the key
  std::uint32_t place = 0;  // among all of them

  KeyedPlace() = default;  // without a key
  explicit KeyedPlace(const SortKey& key) : part(key.firstPart()), rest(key.rest()) {}
};

/// The places of the `limit` first keys in order, on all cores; those without one last, whichever way it is sorted, and
/// those that are equal in the order in which they are given. Looks at a later part of the keys only where those before
/// it are the same. `onProgress` gets the share that is done, on one thread at a time. What it gives means nothing if
/// it was stopped.
std::vector<std::uint32_t> placesInOrder(LargeArray<KeyedPlace> keys, std::size_t limit, bool descending,
                                         std::function<void(double)> onProgress, const std::stop_token& stop);

}  // namespace heapscape::engine
