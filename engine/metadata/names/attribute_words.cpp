// SPDX-License-Identifier: MIT
#include "metadata/names/attribute_words.h"

#include <array>
#include <utility>

namespace heapscape::engine {
namespace {

constexpr std::uint32_t kVisibilityMask = 0x07;
constexpr std::array kTypeVisibilities{"not public",
                                       "public",
                                       "nested public",
                                       "nested private",
                                       "nested protected",
                                       "nested internal",
                                       "nested private protected",
                                       "nested protected internal"};
constexpr std::array kMemberVisibilities{
    "compiler controlled", "private", "private protected", "internal", "protected", "protected internal", "public", ""};
constexpr std::uint32_t kLayoutMask = 0x18;
constexpr std::uint32_t kSequentialLayout = 0x08;
constexpr std::uint32_t kExplicitLayout = 0x10;
constexpr std::uint32_t kExtendedLayout = 0x18;  // since .NET 11, with an attribute that says how
constexpr std::uint32_t kStringFormatMask = 0x30000;
constexpr std::array kStringFormats{"ANSI strings", "Unicode strings", "auto strings", "custom strings"};

using Word = std::pair<std::uint32_t, const char*>;
constexpr std::array kTypeWords{Word{0x20, "interface"},
                                Word{0x80, "abstract"},
                                Word{0x100, "sealed"},
                                Word{0x400, "special name"},
                                Word{0x1000, "import"},
                                Word{0x2000, "serializable"},
                                Word{0x100000, "before field init"},
                                Word{0x200000, "forwarder"}};
constexpr std::array kFieldWords{Word{0x10, "static"}, Word{0x20, "readonly"}, Word{0x40, "const"},
                                 Word{0x80, "not serialized"}, Word{0x200, "special name"}};

}  // namespace

std::vector<std::string> typeAttributeWords(std::uint32_t attributes) {
  std::vector<std::string> words{kTypeVisibilities[attributes & kVisibilityMask]};
  for (const auto& [bit, word] : kTypeWords) {
    if (attributes & bit) words.emplace_back(word);
  }
  const std::uint32_t layout = attributes & kLayoutMask;
  words.emplace_back(layout == kExtendedLayout     ? "extended layout"
                     : layout == kExplicitLayout   ? "explicit layout"
                     : layout == kSequentialLayout ? "sequential layout"
                                                   : "auto layout");
  words.emplace_back(kStringFormats[(attributes & kStringFormatMask) >> 16]);
  return words;
}

std::string fieldAttributeText(std::uint16_t attributes) {
  std::string text = kMemberVisibilities[attributes & kVisibilityMask];
  for (const auto& [bit, word] : kFieldWords) {
    if ((attributes & bit) == 0) continue;
    if (!text.empty()) text += ' ';
    text += word;
  }
  return text;
}

}  // namespace heapscape::engine
