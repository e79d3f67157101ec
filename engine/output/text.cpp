// SPDX-License-Identifier: MIT
#include "output/text.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/figures.h"
#include "base/unicode.h"

namespace heapscape::engine {

namespace {

constexpr std::string_view kReplacement = "\xef\xbf\xbd";

unsigned char byteAt(std::string_view text, std::size_t index) {
  return static_cast<unsigned char>(text[index]);
}

/// Length of the UTF-8 sequence that begins the text, 0 if there is none.
std::size_t sequenceLength(std::string_view text) {
  const unsigned char lead = byteAt(text, 0);
  if (lead < 0x80) return 1;
  const std::size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byteAt(text, i) & 0xc0) != 0x80) return 0;
  }
  const unsigned char second = byteAt(text, 1);
  const bool overlong = (lead == 0xe0 && second < 0xa0) || (lead == 0xf0 && second < 0x90);
  const bool surrogate = lead == 0xed && second > 0x9f;
  const bool beyondLast = lead == 0xf4 && second > 0x8f;
  return overlong || surrogate || beyondLast ? 0 : length;
}

}  // namespace

std::string validUtf8(std::string_view text) {
  std::string valid;
  valid.reserve(text.size());
  while (!text.empty()) {
    const std::size_t length = sequenceLength(text);
    valid += length ? text.substr(0, length) : kReplacement;
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return valid;
}

std::string printable(std::string_view text) {
  return withEscapes(validUtf8(text));
}

std::size_t textWidth(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char byte) { return (byte & 0xc0) != 0x80; }));
}

std::string readableBytes(std::uint64_t bytes) {
  return bytes < 1024 ? fmt::format("{} B", bytes) : sizeText(bytes);
}

}  // namespace heapscape::engine
