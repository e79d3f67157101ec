// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "base/enum_names.h"

namespace heapscape::engine {

/// Where a module's metadata was read from.
enum class MetadataSource : std::uint8_t { Dump, File, Missing };
template <>
inline constexpr auto kEnumNames<MetadataSource> = std::to_array<EnumName<MetadataSource>>(
    {{MetadataSource::Dump, "dump"}, {MetadataSource::File, "file"}, {MetadataSource::Missing, "missing"}});

}  // namespace heapscape::engine
