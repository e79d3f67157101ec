// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace heapscape::engine {

/// UTF-8 of UTF-16 text; half a surrogate pair becomes U+FFFD.
std::string toUtf8(std::u16string_view text);

/// UTF-16 of UTF-8 text; nullopt if it is none.
std::optional<std::u16string> toUtf16(std::string_view utf8);

/// Escape of a UTF-16 unit that would not show, would break its line, or would change how its neighbours show: "\0",
/// "\n" or another short escape of C#, else "\u200e". Empty for all others.
std::string escapeOf(char16_t unit);

/// Valid UTF-8 with these escapes in place of such characters, but for those (of ASCII) that are kept.
std::string withEscapes(std::string_view utf8, std::string_view kept = {});

}  // namespace heapscape::engine
