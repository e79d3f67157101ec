// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
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

}  // namespace heapscape::engine
