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

}  // namespace heapscape::engine
