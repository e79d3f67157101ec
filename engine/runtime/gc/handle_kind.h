// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>

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
/// All of them, each at the place of its number.
inline constexpr std::array kHandleKinds{HandleKind::WeakShort,
                                         HandleKind::WeakLong,
                                         HandleKind::Strong,
                                         HandleKind::Pinned,
                                         HandleKind::Variable,
                                         HandleKind::RefCounted,
                                         HandleKind::Dependent,
                                         HandleKind::AsyncPinned,
                                         HandleKind::SizedRef,
                                         HandleKind::WeakNativeCom,
                                         HandleKind::WeakInteriorPointer,
                                         HandleKind::CrossReference};
/// "weakShort", "weakLong", "strong", "pinned", "variable", "refCounted", "dependent", "asyncPinned", "sizedRef",
/// "weakNativeCom", "weakInteriorPointer", "crossReference".
const char* toString(HandleKind kind);

}  // namespace heapscape::engine
