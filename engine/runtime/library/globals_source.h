// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "base/enum_names.h"

namespace heapscape::engine {

/// What told where the runtime's table of globals lies: its symbol in the dump's memory, its symbol in the library's
/// file on disk, or the look of the table itself, where there are no symbols.
enum class GlobalsSource : std::uint8_t { Dump, File, Shape };
template <>
inline constexpr auto kEnumNames<GlobalsSource> = std::to_array<EnumName<GlobalsSource>>(
    {{GlobalsSource::Dump, "dump"}, {GlobalsSource::File, "file"}, {GlobalsSource::Shape, "shape"}});

}  // namespace heapscape::engine
