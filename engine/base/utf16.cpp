// SPDX-License-Identifier: MIT
#include "base/utf16.h"

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

}  // namespace heapscape::engine
