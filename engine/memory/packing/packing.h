// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "base/bounded_reader.h"

namespace heapscape::engine {

/// How the bytes of a dump are packed.
enum class Packing : std::uint8_t { None, Zstandard, Gzip, Xz, Lz4, Tar };

/// Told by the first bytes, never by a name; a tar archive by the checksum of its first header.
Packing packingOf(Bytes beginning);

/// How many bytes tell it.
constexpr std::size_t kPackingBytes = 512;

/// "Zstandard", "gzip", "xz", "LZ4", "tar".
const char* toString(Packing packing);

}  // namespace heapscape::engine
