// SPDX-License-Identifier: MIT
#include "values/quoted_text.h"

#include <fmt/format.h>

#include <iterator>

#include "base/utf16.h"

namespace heapscape::engine {
namespace {

bool isHighSurrogate(char16_t unit) {
  return unit >= 0xd800 && unit < 0xdc00;
}
bool isLowSurrogate(char16_t unit) {
  return unit >= 0xdc00 && unit < 0xe000;
}

// Units that would not show, or would change how their neighbours show: controls, separators, marks of direction.
bool isInvisible(char16_t unit) {
  return unit < 0x20 || (unit >= 0x7f && unit < 0xa0) || (unit >= 0x200b && unit <= 0x200f) ||
         (unit >= 0x2028 && unit <= 0x202e) || (unit >= 0x2066 && unit <= 0x2069) || unit == 0xfeff || unit >= 0xfffe;
}

// The letter of a short escape, or 0.
char shortEscape(char16_t unit, char16_t quote) {
  switch (unit) {
    case u'\0':
      return '0';
    case u'\a':
      return 'a';
    case u'\b':
      return 'b';
    case u'\f':
      return 'f';
    case u'\n':
      return 'n';
    case u'\r':
      return 'r';
    case u'\t':
      return 't';
    case u'\v':
      return 'v';
    case u'\\':
      return '\\';
    default:
      return unit == quote ? static_cast<char>(quote) : '\0';
  }
}

std::string quoted(std::u16string_view text, char16_t quote) {
  std::string result(1, static_cast<char>(quote));
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char16_t unit = text[i];
    if (const char letter = shortEscape(unit, quote)) {
      result += '\\';
      result += letter;
    } else if (isHighSurrogate(unit) && i + 1 < text.size() && isLowSurrogate(text[i + 1])) {
      result += toUtf8(text.substr(i++, 2));
    } else if (isInvisible(unit) || isHighSurrogate(unit) || isLowSurrogate(unit)) {
      fmt::format_to(std::back_inserter(result), "\\u{:04x}", static_cast<unsigned>(unit));
    } else {
      result += toUtf8(text.substr(i, 1));
    }
  }
  return result + static_cast<char>(quote);
}

}  // namespace

std::string quotedText(std::u16string_view text) {
  return quoted(text, u'"');
}

std::string quotedCharacter(char16_t unit) {
  return quoted({&unit, 1}, u'\'');
}

}  // namespace heapscape::engine
