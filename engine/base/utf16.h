// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace heapscape::engine {

/// UTF-8 of UTF-16 text; half a surrogate pair becomes U+FFFD.
std::string toUtf8(std::u16string_view text);

/// UTF-16 of UTF-8 text; nothing if it is none.
std::optional<std::u16string> toUtf16(std::string_view utf8);

}  // namespace heapscape::engine
