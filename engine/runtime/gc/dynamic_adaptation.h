// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "base/enum_names.h"

namespace heapscape::engine {

/// Whether a server GC changes how many of its heaps it uses as the program grows and shrinks: DATAS,
/// GCDynamicAdaptationMode. .NET 8 has it if it is asked for; since .NET 9 it is the default.
enum class DynamicAdaptation : std::uint8_t {
  None,  // this GC cannot: workstation, or classic segments
  Off,
  On,
  Unknown,  // .NET 8 and 9 do not publish it, and that all heaps are active proves nothing
};
template <>
inline constexpr auto kEnumNames<DynamicAdaptation> =
    std::to_array<EnumName<DynamicAdaptation>>({{DynamicAdaptation::None, "none"},
                                                {DynamicAdaptation::Off, "off"},
                                                {DynamicAdaptation::On, "on"},
                                                {DynamicAdaptation::Unknown, "unknown"}});

}  // namespace heapscape::engine
