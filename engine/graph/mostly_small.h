// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "base/bounded_reader.h"
#include "base/large_array.h"

namespace heapscape::engine {

/// Numbers of 32 bits by index of which most fit into Small: it is kept of each, and the few larger ones stand in a
/// list. Where they are not few, all are kept whole.
template <class Small>
class MostlySmall {
 public:
  /// Stands for as much or more, which the list tells.
  static constexpr Small kLarge = std::numeric_limits<Small>::max();

  struct Large {
    std::uint32_t index = 0;
    std::uint32_t number = 0;
  };

  MostlySmall() = default;
  /// Keeps numbers in the memory that they lie in.
  explicit MostlySmall(LargeArray<std::uint32_t> numbers) {
    const auto large = std::ranges::count_if(numbers.elements(), [](std::uint32_t number) { return number >= kLarge; });
    if (static_cast<std::size_t>(large) > numbers.size() / kAllOfLarge) {
      m_whole = std::move(numbers);
      return;
    }
    m_listed.reserve(static_cast<std::size_t>(large));
    for (std::size_t first = 0; first < numbers.size(); first += kAtOnce) takeFrom(numbers, first);
    m_small = std::move(numbers).template narrow<Small>();
    m_large = m_listed;
  }
  /// Numbers that lie elsewhere, as in a mapped file, and stay there for longer than these. Each index in the list,
  /// which ascends, has to be in bounds.
  static MostlySmall viewOf(std::span<const Small> small, std::span<const Large> large) {
    MostlySmall view;
    view.m_small = LargeArray<Small>::viewOf(small);
    view.m_large = large;
    return view;
  }
  static MostlySmall viewOf(std::span<const std::uint32_t> whole) {
    MostlySmall view;
    view.m_whole = LargeArray<std::uint32_t>::viewOf(whole);
    return view;
  }

  [[gnu::always_inline]] std::uint32_t operator[](std::size_t index) const {
    if (m_whole.size()) return m_whole[index];
    const Small small = m_small[index];
    return small < kLarge ? small : numberOfLarge(index);
  }
  /// Where something is kept of a number, for prefetches.
  [[gnu::always_inline]] const void* placeOf(std::size_t index) const {
    return m_whole.size() ? static_cast<const void*>(&m_whole[index]) : &m_small[index];
  }

  std::size_t size() const { return m_whole.size() ? m_whole.size() : m_small.size(); }
  std::uint64_t memoryBytes() const { return m_whole.memoryBytes() + m_small.memoryBytes() + m_large.size_bytes(); }
  /// As they are kept: so many bytes for each, whether small or whole.
  Bytes stored() const {
    return m_whole.size() ? std::as_bytes(m_whole.elements()) : std::as_bytes(m_small.elements());
  }
  std::span<const Large> large() const { return m_large; }

 private:
  static constexpr std::size_t kAllOfLarge = 64;  // as many numbers there are for each large one, or more
  static constexpr std::size_t kAtOnce = 4096;

  /// Writes what is kept of some over what lies before them, where it has been taken from already.
  void takeFrom(LargeArray<std::uint32_t>& numbers, std::size_t first) {
    std::array<Small, kAtOnce> small;
    const std::size_t count = std::min(kAtOnce, numbers.size() - first);
    std::uint32_t largest = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint32_t number = numbers[first + i];
      largest = std::max(largest, number);
      small[i] = static_cast<Small>(std::min<std::uint32_t>(number, kLarge));
    }
    for (std::size_t i = 0; largest >= kLarge && i < count; ++i) {
      if (small[i] == kLarge) m_listed.push_back({static_cast<std::uint32_t>(first + i), numbers[first + i]});
    }
    std::memcpy(reinterpret_cast<std::byte*>(numbers.data()) + first * sizeof(Small), small.data(),
                count * sizeof(Small));
  }

  std::uint32_t numberOfLarge(std::size_t index) const {
    const auto found = std::ranges::lower_bound(m_large, index, {}, &Large::index);
    return found != m_large.end() && found->index == index ? found->number : kLarge;
  }

  // One of the two is empty.
  LargeArray<Small> m_small;
  LargeArray<std::uint32_t> m_whole;
  std::span<const Large> m_large;  // ascending by index
  std::vector<Large> m_listed;     // what it shows, unless that lies elsewhere
};

}  // namespace heapscape::engine
