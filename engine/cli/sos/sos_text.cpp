// SPDX-License-Identifier: MIT
#include "cli/sos/sos_text.h"

#include <fmt/format.h>

namespace heapscape::cli {

std::string upperAddress(engine::Address address) {
  return fmt::format("{:016X}", address.value);
}

std::string lowerAddress(engine::Address address) {
  return fmt::format("{:016x}", address.value);
}

std::string shortAddress(engine::Address address) {
  return fmt::format("{:012x}", address.value);
}

std::string grouped(std::uint64_t number) {
  std::string text = std::to_string(number);
  for (std::size_t i = text.size(); i > 3; i -= 3) text.insert(i - 3, ",");
  return text;
}

std::string hexAndDecimal(std::uint64_t number) {
  return number == 0 ? std::string() : fmt::format("{0:#x} ({0})", number);
}

std::string decimalAndHex(std::uint64_t number) {
  return fmt::format("{0}({0:#x})", number);
}

std::string cutInFront(std::string_view text, std::size_t width) {
  if (text.size() <= width) return std::string(text);
  return fmt::format("...{}", text.substr(text.size() - (width - 3)));
}

}  // namespace heapscape::cli
