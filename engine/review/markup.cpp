// SPDX-License-Identifier: MIT
#include "review/markup.h"

#include "report/text.h"

namespace heapscape::engine {

std::string escapedMarkup(std::string_view text) {
  std::string escaped;
  escaped.reserve(text.size() + text.size() / 8);
  for (const char character : validUtf8(text)) {
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
      default: {
        const auto byte = static_cast<unsigned char>(character);
        const bool isControl = (byte < 0x20 && character != '\n' && character != '\t') || byte == 0x7f;
        escaped += isControl ? '?' : character;
      }
    }
  }
  return escaped;
}

}  // namespace heapscape::engine
