// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstring>
#include <span>

namespace heapscape::engine {

/// UTF-16 at any address as ASCII into `ascii`, which has room for a byte a unit; false if some unit is none.
inline bool tryToAscii(std::span<const std::byte> utf16, char* ascii) {
  const std::size_t units = utf16.size() / sizeof(char16_t);
  char16_t all = 0;
  for (std::size_t i = 0; i < units; ++i) {
    char16_t unit = 0;
    std::memcpy(&unit, utf16.data() + i * sizeof unit, sizeof unit);
    all = static_cast<char16_t>(all | unit);
    ascii[i] = static_cast<char>(unit);
  }
  return all < 0x80;
}

}  // namespace heapscape::engine
