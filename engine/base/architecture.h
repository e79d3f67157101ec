// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "base/enum_names.h"

namespace heapscape::engine {

/// The processor that a dumped process ran on. Told by the dump itself (e_machine), never by what this program runs on.
enum class Architecture : std::uint8_t { X64, Arm64 };
template <>
inline constexpr auto kEnumNames<Architecture> =
    std::to_array<EnumName<Architecture>>({{Architecture::X64, "x64"}, {Architecture::Arm64, "arm64"}});

}  // namespace heapscape::engine
