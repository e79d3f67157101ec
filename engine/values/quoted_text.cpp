// SPDX-License-Identifier: MIT
#include "values/quoted_text.h"

#include <fmt/format.h>

#include <iterator>

#include "base/unseen_characters.h"
#include "base/utf16.h"

namespace heapscape::engine {
namespace {

bool isHighSurrogate(char16_t unit) {
  return unit >= 0xd800 && unit < 0xdc00;
}
bool isLowSurrogate(char16_t unit) {
  return unit >= 0xdc00 && unit < 0xe000;
}

std::string quoted(std::u16string_view text, char16_t quote) {
  std::string result(1, static_cast<char>(quote));
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char16_t unit = text[i];
    const std::string escape = escapeOf(unit);
    if (!escape.empty()) {
      result += escape;
    } else if (unit == quote || unit == u'\\') {
      result += '\\';
      result += static_cast<char>(unit);
    } else if (isHighSurrogate(unit) && i + 1 < text.size() && isLowSurrogate(text[i + 1])) {
      result += toUtf8(text.substr(i++, 2));
    } else if (isHighSurrogate(unit) || isLowSurrogate(unit)) {
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
