// SPDX-License-Identifier: MIT
#include "values/quoted_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <iterator>

#include "base/unicode.h"

namespace heapscape::engine {
namespace {

bool isHighSurrogate(char16_t unit) {
  return unit >= 0xd800 && unit < 0xdc00;
}
bool isLowSurrogate(char16_t unit) {
  return unit >= 0xdc00 && unit < 0xe000;
}

void addQuotedBy(std::string& result, std::u16string_view text, char16_t quote) {
  result += static_cast<char>(quote);
  // Most texts are plain from end to end.
  const auto isOther = [quote](char16_t unit) { return unit < 0x20 || unit >= 0x7f || unit == quote || unit == u'\\'; };
  const auto plain = static_cast<std::size_t>(std::ranges::find_if(text, isOther) - text.begin());
  result.resize(result.size() + plain);
  std::ranges::transform(text.substr(0, plain), result.end() - static_cast<std::ptrdiff_t>(plain),
                         [](char16_t unit) { return static_cast<char>(unit); });
  for (std::size_t i = plain; i < text.size(); ++i) {
    const char16_t unit = text[i];
    const bool isPlain = unit >= 0x20 && unit < 0x7f;
    if (isPlain) {
      if (unit == quote || unit == u'\\') result += '\\';
      result += static_cast<char>(unit);
    } else if (const std::string escape = escapeOf(unit); !escape.empty()) {
      result += escape;
    } else if (isHighSurrogate(unit) && i + 1 < text.size() && isLowSurrogate(text[i + 1])) {
      result += toUtf8(text.substr(i++, 2));
    } else if (isHighSurrogate(unit) || isLowSurrogate(unit)) {
      fmt::format_to(std::back_inserter(result), "\\u{:04x}", static_cast<unsigned>(unit));
    } else {
      result += toUtf8(text.substr(i, 1));
    }
  }
  result += static_cast<char>(quote);
}

}  // namespace

std::string quotedText(std::u16string_view text) {
  std::string quoted;
  addQuoted(quoted, text);
  return quoted;
}

void addQuoted(std::string& line, std::u16string_view text) {
  addQuotedBy(line, text, u'"');
}

std::string quotedCharacter(char16_t unit) {
  std::string quoted;
  addQuotedBy(quoted, {&unit, 1}, u'\'');
  return quoted;
}

}  // namespace heapscape::engine
