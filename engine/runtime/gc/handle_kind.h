// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>

#include "base/enum_names.h"

namespace heapscape::engine {

/// Kinds of GC handles, in the GC's numbering (src/coreclr/gc/gcinterface.h, HandleType).
enum class HandleKind : std::uint8_t {
  WeakShort,
  WeakLong,
  Strong,
  Pinned,
  Variable,
  RefCounted,
  Dependent,
  AsyncPinned,
  SizedRef,
  WeakNativeCom,
  WeakInteriorPointer,
  CrossReference,
};
template <>
inline constexpr auto kEnumNames<HandleKind> =
    std::to_array<EnumName<HandleKind>>({{HandleKind::WeakShort, "weakShort"},
                                         {HandleKind::WeakLong, "weakLong"},
                                         {HandleKind::Strong, "strong"},
                                         {HandleKind::Pinned, "pinned"},
                                         {HandleKind::Variable, "variable"},
                                         {HandleKind::RefCounted, "refCounted"},
                                         {HandleKind::Dependent, "dependent"},
                                         {HandleKind::AsyncPinned, "asyncPinned"},
                                         {HandleKind::SizedRef, "sizedRef"},
                                         {HandleKind::WeakNativeCom, "weakNativeCom"},
                                         {HandleKind::WeakInteriorPointer, "weakInteriorPointer"},
                                         {HandleKind::CrossReference, "crossReference"}});
/// All of them, each at the place of its number.
inline constexpr auto kHandleKinds = membersOf<HandleKind>();

}  // namespace heapscape::engine
