// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace heapscape::engine {

/// Where a module's metadata was read from.
enum class MetadataSource : std::uint8_t { Dump, File, Missing };
const char* toString(MetadataSource source);

}  // namespace heapscape::engine
