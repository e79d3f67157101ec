// SPDX-License-Identifier: MIT
#include "metadata/names/guid_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>

namespace heapscape::engine {

std::string guidText(Bytes guid) {
  // The first three groups are little-endian numbers, the rest is plain bytes.
  BoundedReader reader(guid);
  const auto first = reader.read<std::uint32_t>();
  const auto second = reader.read<std::uint16_t>();
  const auto third = reader.read<std::uint16_t>();
  const auto rest = reader.read<std::array<std::uint8_t, 8>>();
  if (reader.failed()) return {};
  return fmt::format("{:08x}-{:04x}-{:04x}-{:02x}-{:02x}", first, second, third,
                     fmt::join(rest.begin(), rest.begin() + 2, ""), fmt::join(rest.begin() + 2, rest.end(), ""));
}

}  // namespace heapscape::engine
