// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/bounded_reader.h"
#include "base/large_array.h"
#include "graph/dominators/dominator_tree.h"
#include "graph/reference_graph.h"

namespace heapscape::engine {

/// Numbers of 32 bits by index of which most fit into Small: that is what is kept of each, and the larger ones beside,
/// where they take memory only if they are. Different ones may be set by different threads at once.
template <class Small>
class MostlySmall {
 public:
  /// Stands for as much or more, which is kept beside.
  static constexpr Small kLarge = std::numeric_limits<Small>::max();

  struct Large {
    std::uint32_t index = 0;
    std::uint32_t number = 0;
  };

  MostlySmall() = default;
  /// All of them 0.
  explicit MostlySmall(std::size_t size) : m_small(size), m_large(size, PageSize::Small) {}
  /// View of numbers that lie elsewhere, as in a mapped file, and stays there for longer than these; never to be set.
  /// Returns nullopt if `large` is not those that stand for as much or more, in order.
  static std::optional<MostlySmall> viewOf(std::span<const Small> small, std::span<const Large> large) {
    MostlySmall view;
    view.m_large = LargeArray<std::uint32_t>(small.size(), PageSize::Small);
    auto next = large.begin();
    const bool areAllThere = forEachLarge(small, [&](std::size_t index) {
      if (next == large.end() || next->index != index || next->number < kLarge) return false;
      view.m_large[index] = (next++)->number;
      return true;
    });
    if (!areAllThere || next != large.end()) return std::nullopt;
    view.m_small = LargeArray<Small>::viewOf(small);
    return view;
  }

  [[gnu::always_inline]] std::uint32_t operator[](std::size_t index) const {
    const Small small = m_small[index];
    return small < kLarge ? small : m_large[index];
  }
  [[gnu::always_inline]] void set(std::size_t index, std::uint32_t number) {
    if (number < kLarge) [[likely]] {
      m_small[index] = static_cast<Small>(number);
    } else {
      m_small[index] = kLarge;
      m_large[index] = number;
    }
  }
  [[gnu::always_inline]] void add(std::size_t index, std::uint32_t number) { set(index, (*this)[index] + number); }
  [[gnu::always_inline]] void prefetch(std::size_t index) const { __builtin_prefetch(&m_small[index]); }

  std::size_t size() const { return m_small.size(); }
  /// Without what the larger ones take beside.
  std::uint64_t memoryBytes() const { return m_small.memoryBytes(); }
  std::span<const Small> small() const { return m_small.elements(); }
  /// Ascending.
  std::vector<Large> large() const {
    std::vector<Large> large;
    forEachLarge(small(), [&](std::size_t index) {
      large.push_back({static_cast<std::uint32_t>(index), m_large[index]});
      return true;
    });
    return large;
  }

 private:
  /// Until visit(index) returns false. Most stretches have none, which takes no branch for each to see.
  template <class Visit>
  static bool forEachLarge(std::span<const Small> small, Visit visit) {
    constexpr std::size_t kStretch = 256;
    for (std::size_t first = 0; first < small.size(); first += kStretch) {
      const std::size_t end = std::min(small.size(), first + kStretch);
      bool isAny = false;
      for (std::size_t i = first; i < end; ++i) isAny |= small[i] == kLarge;
      for (std::size_t i = first; isAny && i < end; ++i)
        if (small[i] == kLarge && !visit(i)) return false;
    }
    return true;
  }

  LargeArray<Small> m_small;
  LargeArray<std::uint32_t> m_large;  // written to only where m_small is kLarge
};

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
    if (m_wide.size())
      __builtin_prefetch(&m_wide[number]);
    else
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

/// Retained size of each object, root and group: itself and everything that it dominates. By number in the dominator
/// tree; number 0 is all that can be reached.
struct RetainedSizes {
  RetainedBytes bytes;
  MostlySmall<std::uint8_t> objects;  // itself included if it is one; of number 0 all reached
};

RetainedSizes addUpRetained(const DominatorTree& tree, const ReferenceGraph& graph);

}  // namespace heapscape::engine
