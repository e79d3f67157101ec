// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "base/address.h"
#include "base/enum_names.h"

namespace heapscape::engine {

/// How one object keeps another alive.
enum class EdgeKind : std::uint8_t {
  Field,
  Element,    // of an array, also a field of a value type in one
  Dependent,  // from the key of a dependent handle to its secondary
  Loader,     // from an object of a collectible type to the loader allocator of that type
  Recorded,   // not told how, as in a .gcdump file
};
template <>
inline constexpr auto kEnumNames<EdgeKind> = std::to_array<EnumName<EdgeKind>>({{EdgeKind::Field, "field"},
                                                                                {EdgeKind::Element, "element"},
                                                                                {EdgeKind::Dependent, "dependent"},
                                                                                {EdgeKind::Loader, "loader"},
                                                                                {EdgeKind::Recorded, "recorded"}});

struct Edge {
  Address from;
  Address to;
  EdgeKind kind = EdgeKind::Field;
  std::uint64_t offset = 0;  // from the source's address; 0 for all but Field and Element
};

}  // namespace heapscape::engine
