// SPDX-License-Identifier: MIT
#include "base/unseen_characters.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace heapscape::engine {
namespace {

struct Units {
  char16_t first, last;
};

// Controls, separators of lines and paragraphs, and the category Cf of Unicode as far as it has one unit.
constexpr std::array kUnseen{
    Units{0x0000, 0x001f}, Units{0x007f, 0x009f}, Units{0x00ad, 0x00ad}, Units{0x0600, 0x0605}, Units{0x061c, 0x061c},
    Units{0x06dd, 0x06dd}, Units{0x070f, 0x070f}, Units{0x0890, 0x0891}, Units{0x08e2, 0x08e2}, Units{0x180e, 0x180e},
    Units{0x200b, 0x200f}, Units{0x2028, 0x202e}, Units{0x2060, 0x2064}, Units{0x2066, 0x206f}, Units{0xfeff, 0xfeff},
    Units{0xfff9, 0xfffb}, Units{0xfffe, 0xffff},
};
static_assert(std::ranges::is_sorted(kUnseen, {}, &Units::last));

bool isUnseen(char16_t unit) {
  const auto units = std::ranges::lower_bound(kUnseen, unit, {}, &Units::last);
  return units != kUnseen.end() && unit >= units->first;
}

// The letter of a short escape, or 0.
char shortEscape(char16_t unit) {
  constexpr std::string_view kFromBell = "abtnvfr";  // U+0007 to U+000D
  if (unit == 0) return '0';
  return unit >= 7 && unit <= 13 ? kFromBell[unit - 7u] : '\0';
}

/// The unit that a sequence stands for; 0 if it takes two.
char16_t unitOf(std::string_view sequence) {
  const auto byteAt = [&](std::size_t i) { return static_cast<unsigned char>(sequence[i]); };
  switch (sequence.size()) {
    case 1:
      return byteAt(0);
    case 2:
      return static_cast<char16_t>((byteAt(0) & 0x1f) << 6 | (byteAt(1) & 0x3f));
    case 3:
      return static_cast<char16_t>((byteAt(0) & 0xf) << 12 | (byteAt(1) & 0x3f) << 6 | (byteAt(2) & 0x3f));
    default:
      return 0;
  }
}

std::size_t sequenceBytes(char lead) {
  const auto byte = static_cast<unsigned char>(lead);
  return byte < 0xc0 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
}

}  // namespace

std::string escapeOf(char16_t unit) {
  if (unit >= 0x20 && unit < 0x7f) return {};
  if (const char letter = shortEscape(unit)) return {'\\', letter};
  return isUnseen(unit) ? fmt::format("\\u{:04x}", static_cast<unsigned>(unit)) : std::string();
}

std::string withEscapes(std::string_view utf8, std::string_view kept) {
  std::string shown;
  shown.reserve(utf8.size());
  while (!utf8.empty()) {
    // Most texts are plain from end to end.
    const auto special = std::ranges::find_if(utf8, [](char byte) { return byte < 0x20 || byte == 0x7f; });
    const auto plain = static_cast<std::size_t>(special - utf8.begin());
    shown += utf8.substr(0, plain);
    utf8.remove_prefix(plain);
    if (utf8.empty()) break;
    const std::string_view sequence = utf8.substr(0, sequenceBytes(utf8.front()));
    const bool isKept = sequence.size() > 3 || kept.find(sequence) != std::string_view::npos;
    const std::string escape = isKept ? std::string() : escapeOf(unitOf(sequence));
    shown += escape.empty() ? sequence : escape;
    utf8.remove_prefix(sequence.size());
  }
  return shown;
}

}  // namespace heapscape::engine
