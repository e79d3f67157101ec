// SPDX-License-Identifier: MIT
#include "metadata/compressed_integer.h"

namespace heapscape::engine {

std::optional<std::uint32_t> readCompressed(BoundedReader& reader) {
  const auto first = reader.read<std::uint8_t>();
  std::uint32_t value = first;
  int more = 0;
  if ((first & 0x80) == 0) {
    more = 0;
  } else if ((first & 0xc0) == 0x80) {
    value &= 0x3f;
    more = 1;
  } else if ((first & 0xe0) == 0xc0) {
    value &= 0x1f;
    more = 3;
  } else {
    return std::nullopt;
  }
  for (; more > 0; --more) value = value << 8 | reader.read<std::uint8_t>();
  if (reader.failed()) return std::nullopt;
  return value;
}

}  // namespace heapscape::engine
