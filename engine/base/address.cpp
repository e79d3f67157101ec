// SPDX-License-Identifier: MIT
#include "base/address.h"

#include <fmt/format.h>

#include <charconv>

namespace heapscape::engine {

std::string toString(Address address) {
  return fmt::format("{:#x}", address.value);
}

bool tryParseAddress(const std::string& text, Address& address) {
  const bool prefixed = text.starts_with("0x") || text.starts_with("0X");
  const char* first = text.data() + (prefixed ? 2 : 0);
  const char* last = text.data() + text.size();
  const auto [end, error] = std::from_chars(first, last, address.value, 16);
  return error == std::errc{} && end == last && first != last;
}

}  // namespace heapscape::engine
