// SPDX-License-Identifier: MIT
#include "base/count_text.h"

#include <fmt/format.h>

namespace heapscape::engine {

std::string readableCount(std::uint64_t count) {
  std::string digits = std::to_string(count);
  for (std::size_t i = digits.size(); i > 3; i -= 3) digits.insert(i - 3, 1, ',');
  return digits;
}

std::string countOf(std::uint64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", readableCount(count), noun, count == 1 ? "" : "s");
}

std::uint64_t percentOf(std::uint64_t part, std::uint64_t whole) {
  __extension__ using Wide = unsigned __int128;  // a hundred times a part may need more than 64 bits
  return whole ? static_cast<std::uint64_t>(Wide{part} * 100 / whole) : 0;
}

}  // namespace heapscape::engine
