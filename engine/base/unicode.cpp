// SPDX-License-Identifier: MIT
#include "base/unicode.h"

#include <fmt/format.h>
#include <algorithm>
#include <array>

namespace heapscape::engine {
namespace {

constexpr char32_t kReplacement = 0xfffd;

bool isHighSurrogate(char32_t unit) {
  return unit >= 0xd800 && unit < 0xdc00;
}
bool isLowSurrogate(char32_t unit) {
  return unit >= 0xdc00 && unit < 0xe000;
}

void append(std::string& utf8, char32_t point) {
  const auto tail = [&](int shift) { utf8 += static_cast<char>(0x80 | (point >> shift & 0x3f)); };
  if (point < 0x80) {
    utf8 += static_cast<char>(point);
  } else if (point < 0x800) {
    utf8 += static_cast<char>(0xc0 | point >> 6);
    tail(0);
  } else if (point < 0x10000) {
    utf8 += static_cast<char>(0xe0 | point >> 12);
    tail(6);
    tail(0);
  } else {
    utf8 += static_cast<char>(0xf0 | point >> 18);
    tail(12);
    tail(6);
    tail(0);
  }
}

}  // namespace

std::string toUtf8(std::u16string_view text) {
  std::string utf8;
  utf8.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    char32_t point = text[i];
    if (isHighSurrogate(point) && i + 1 < text.size() && isLowSurrogate(text[i + 1])) {
      point = 0x10000 + ((point - 0xd800) << 10) + (text[++i] - 0xdc00u);
    } else if (isHighSurrogate(point) || isLowSurrogate(point)) {
      point = kReplacement;
    }
    append(utf8, point);
  }
  return utf8;
}

std::optional<std::u16string> toUtf16(std::string_view utf8) {
  std::u16string text;
  for (std::size_t i = 0; i < utf8.size();) {
    const auto lead = static_cast<unsigned char>(utf8[i++]);
    // Bytes that follow, and the least that so many may stand for.
    const int more = lead < 0x80 ? 0 : lead >> 5 == 6 ? 1 : lead >> 4 == 14 ? 2 : lead >> 3 == 30 ? 3 : -1;
    if (more < 0 || utf8.size() - i < static_cast<std::size_t>(more)) return std::nullopt;
    constexpr char32_t kLeast[]{0, 0x80, 0x800, 0x10000};
    char32_t point = more == 0 ? lead : lead & (0x3fu >> more);
    for (int k = 0; k < more; ++k) {
      const auto tail = static_cast<unsigned char>(utf8[i++]);
      if (tail >> 6 != 2) return std::nullopt;
      point = point << 6 | (tail & 0x3fu);
    }
    if (point < kLeast[more] || point > 0x10ffff || isHighSurrogate(point) || isLowSurrogate(point))
      return std::nullopt;
    if (point < 0x10000) {
      text += static_cast<char16_t>(point);
    } else {
      text += static_cast<char16_t>(0xd7c0 + (point >> 10));
      text += static_cast<char16_t>(0xdc00 | (point & 0x3ff));
    }
  }
  return text;
}

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
    const auto special = std::ranges::find_if(utf8, [](unsigned char byte) { return byte < 0x20 || byte >= 0x7f; });
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
