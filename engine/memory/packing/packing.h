// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "base/bounded_reader.h"
#include "base/enum_names.h"

namespace heapscape::engine {

/// How the bytes of a dump are packed.
enum class Packing : std::uint8_t { None, Zstandard, Gzip, Xz, Lz4, Tar };
template <>
inline constexpr auto kEnumNames<Packing> = std::to_array<EnumName<Packing>>({{Packing::None, "nothing"},
                                                                              {Packing::Zstandard, "Zstandard"},
                                                                              {Packing::Gzip, "gzip"},
                                                                              {Packing::Xz, "xz"},
                                                                              {Packing::Lz4, "LZ4"},
                                                                              {Packing::Tar, "tar"}});

/// Told by the first bytes, never by a name; a tar archive by the checksum of its first header.
Packing packingOf(Bytes beginning);

/// How many bytes tell it.
constexpr std::size_t kPackingBytes = 512;

}  // namespace heapscape::engine
