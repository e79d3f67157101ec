// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <span>
#include <string>
#include <string_view>

namespace heapscape::engine {

/// The letters A to Z in lower case, whatever the locale is; all else stays as it is.
constexpr char lowerCase(char letter) {
  return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
}

inline std::string lowerCase(std::string_view text) {
  std::string lower(text);
  for (char& letter : lower) letter = lowerCase(letter);
  return lower;
}

constexpr bool equalsIgnoringCase(std::string_view left, std::string_view right) {
  return std::ranges::equal(left, right, [](char a, char b) { return lowerCase(a) == lowerCase(b); });
}

constexpr bool startsIgnoringCase(std::string_view text, std::string_view start) {
  return text.size() >= start.size() && equalsIgnoringCase(text.substr(0, start.size()), start);
}

/// Whether `part` stands anywhere in the text; an empty one does.
inline bool holdsIgnoringCase(std::string_view text, std::string_view part) {
  const auto isSame = [](char a, char b) { return lowerCase(a) == lowerCase(b); };
  return part.empty() || std::ranges::search(text, part, isSame).begin() != text.end();
}

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
