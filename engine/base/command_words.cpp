// SPDX-License-Identifier: MIT
#include "base/command_words.h"

#include <algorithm>

namespace heapscape::engine {

std::string_view lastWordOf(std::string_view line) {
  std::size_t begin = 0;
  char quote = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (quote)
      quote = c == quote ? 0 : quote;
    else if (c == '"' || c == '\'')
      quote = c;
    else if (c == ' ' || c == '\t')
      begin = i + 1;
  }
  return line.substr(begin);
}

std::string commonBeginning(std::span<const std::string> words) {
  if (words.empty()) return {};
  const std::string& first = words.front();
  std::size_t length = first.size();
  for (const std::string& word : words) {
    const auto differs = std::mismatch(first.begin(), first.end(), word.begin(), word.end()).first;
    length = std::min(length, static_cast<std::size_t>(differs - first.begin()));
  }
  const auto isWithinCharacter = [&first](std::size_t place) {
    return place < first.size() && (static_cast<unsigned char>(first[place]) & 0xC0) == 0x80;
  };
  while (length > 0 && isWithinCharacter(length)) --length;
  return first.substr(0, length);
}

}  // namespace heapscape::engine
