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

std::optional<std::int32_t> readCompressedSigned(BoundedReader& reader) {
  const std::uint64_t start = reader.position();
  const auto rotated = readCompressed(reader);
  if (!rotated) return std::nullopt;
  const std::uint64_t bytes = reader.position() - start;
  const unsigned bits = bytes == 1 ? 7 : bytes == 2 ? 14 : 29;
  const auto magnitude = static_cast<std::int32_t>(*rotated >> 1);
  return (*rotated & 1) == 0 ? magnitude : magnitude - (std::int32_t{1} << (bits - 1));
}

}  // namespace heapscape::engine
