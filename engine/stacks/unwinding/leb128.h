// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "base/bounded_reader.h"

namespace heapscape::engine {

/// An unsigned number of DWARF (DWARF 5, section 7.6); bits beyond the 64th are lost.
inline std::uint64_t readUleb128(BoundedReader& reader) {
  std::uint64_t value = 0;
  for (unsigned shift = 0; !reader.failed(); shift += 7) {
    const auto byte = reader.read<std::uint8_t>();
    if (shift < 64) value |= std::uint64_t{byte & 0x7fu} << shift;
    if ((byte & 0x80) == 0) break;
  }
  return value;
}

/// A signed number of DWARF.
inline std::int64_t readSleb128(BoundedReader& reader) {
  std::uint64_t value = 0;
  for (unsigned shift = 0; !reader.failed();) {
    const auto byte = reader.read<std::uint8_t>();
    if (shift < 64) value |= std::uint64_t{byte & 0x7fu} << shift;
    shift += 7;
    if ((byte & 0x80) != 0) continue;
    if (shift < 64 && (byte & 0x40) != 0) value |= ~std::uint64_t{0} << shift;
    break;
  }
  return static_cast<std::int64_t>(value);
}

}  // namespace heapscape::engine
