// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>
#include <vector>

namespace heapscape::engine {

/// One bit an object, by ObjectId.
class ObjectBits {
 public:
  explicit ObjectBits(std::uint32_t objects) : m_words(std::size_t{objects} / kWordBits + 1) {}

  [[gnu::always_inline]] bool operator[](std::uint32_t object) const {
    return m_words[object / kWordBits] >> object % kWordBits & 1;
  }
  /// From any thread; whether it was set before.
  [[gnu::always_inline]] bool set(std::uint32_t object) {
    const std::uint64_t bit = 1ull << object % kWordBits;
    return std::atomic_ref<std::uint64_t>(m_words[object / kWordBits]).fetch_or(bit, std::memory_order_relaxed) & bit;
  }
  [[gnu::always_inline]] void prefetch(std::uint32_t object) const {
    __builtin_prefetch(&m_words[object / kWordBits], 1);
  }
  void clear() { std::ranges::fill(m_words, 0); }

  /// Calls visit(object) for those that are set, ascending.
  template <class Visit>
  void forEach(Visit visit) const {
    for (std::size_t word = 0; word < m_words.size(); ++word) {
      for (std::uint64_t left = m_words[word]; left != 0; left &= left - 1)
        visit(static_cast<std::uint32_t>(word * kWordBits) + static_cast<std::uint32_t>(std::countr_zero(left)));
    }
  }

 private:
  static constexpr std::uint32_t kWordBits = 64;

  std::vector<std::uint64_t> m_words;
};

}  // namespace heapscape::engine
