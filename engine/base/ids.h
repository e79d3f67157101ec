// SPDX-License-Identifier: MIT
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace heapscape::engine {

/// No number: no object, no type, no row.
inline constexpr std::uint32_t kNone = 0xffffffff;

/// A dense number from 0; each kind of thing has its own type of number.
template <class Tag>
struct Id {
  static constexpr std::uint32_t kNone = heapscape::engine::kNone;
  std::uint32_t value = kNone;

  constexpr auto operator<=>(const Id&) const = default;
  constexpr bool isNone() const { return value == kNone; }
};

/// Objects in address order, free ones included.
using ObjectId = Id<struct ObjectTag>;
/// Method tables with at least one object on the heap.
using TypeId = Id<struct TypeTag>;
/// Segments and regions in address order.
using SegmentId = Id<struct SegmentTag>;

}  // namespace heapscape::engine

template <class Tag>
struct std::hash<heapscape::engine::Id<Tag>> {
  std::size_t operator()(heapscape::engine::Id<Tag> id) const noexcept { return id.value; }
};
