// SPDX-License-Identifier: MIT
#include "review/markup.h"

#include "base/unicode.h"
#include "output/text.h"

namespace heapscape::engine {

std::string escapedMarkup(std::string_view text) {
  std::string escaped;
  escaped.reserve(text.size() + text.size() / 8);
  for (const char character : withEscapes(validUtf8(text), "\n\t")) {
    switch (character) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      case '\'':
        escaped += "&#39;";
        break;
      default:
        escaped += character;
    }
  }
  return escaped;
}

}  // namespace heapscape::engine
